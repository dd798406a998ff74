/* C++17 over @PREFIX@.h: a model that owns its memory, errors as exceptions, a thread pool of the standard library.
 *
 *   @PREFIX@::Model model;                        // or model("@PREFIX@.safetensors") where the weights lie beside
 *   model.run({{x, x_shape}}, {{y, y_shape}});    // throws @PREFIX@::Error
 */
#ifndef @UPPER@_HPP
#define @UPPER@_HPP

#include "@PREFIX@.h"

#include <condition_variable>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace @PREFIX@ {

/* What a call of the library found wrong; code is one of @UPPER@_NULL, @UPPER@_SHAPE, ... */
class Error : public std::runtime_error {
public:
    Error(int code, const std::string &text) : std::runtime_error(text), code(code) {}
    const int code;
};

using Tensor = @PREFIX@_tensor;

/* Threads that wait for steps to split. Several models may share them; those in other threads wait for their turn. */
class Pool {
public:
    explicit Pool(int count) {
        for (int k = 1; k < count; k++) workers_.emplace_back([this] { work(); });
    }

    ~Pool() {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            stop_ = true;
        }
        wake_.notify_all();
        for (std::thread &worker : workers_) worker.join();
    }

    Pool(const Pool &) = delete;
    Pool &operator=(const Pool &) = delete;

    int count() const { return static_cast<int>(workers_.size()) + 1; }

    /* What @PREFIX@_threads takes, with the pool as `user`. */
    static void call(void *user, @PREFIX@_task task, void *job, int count) {
        static_cast<Pool *>(user)->run(task, job, count);
    }

private:
    void run(@PREFIX@_task task, void *job, int count) {
        std::lock_guard<std::mutex> turn(turn_);
        std::unique_lock<std::mutex> lock(mutex_);
        task_ = task, job_ = job, next_ = 0, count_ = count, left_ = count;
        wake_.notify_all();
        claim(lock);
        done_.wait(lock, [this] { return left_ == 0; });
    }

    void claim(std::unique_lock<std::mutex> &lock) {
        while (next_ < count_) {
            int number = next_++;
            lock.unlock();
            task_(job_, number);
            lock.lock();
            if (--left_ == 0) done_.notify_one();
        }
    }

    void work() {
        std::unique_lock<std::mutex> lock(mutex_);
        for (;;) {
            wake_.wait(lock, [this] { return stop_ || next_ < count_; });
            if (stop_) return;
            claim(lock);
        }
    }

    std::vector<std::thread> workers_;
    std::mutex turn_, mutex_;
    std::condition_variable wake_, done_;
    @PREFIX@_task task_ = nullptr;
    void *job_ = nullptr;
    int next_ = 0, count_ = 0, left_ = 0;
    bool stop_ = false;
};

/* A model for one thread at a time. It moves; it doesn't copy. */
class Model {
public:
    /* For runs of at most these sizes, one for each dim of the header; null means the largest. */
    explicit Model(const int64_t *dims = nullptr) : size_(@PREFIX@_memory(dims)), memory_(new unsigned char[size_ + 1]) {
        if (size_ == 0) throw Error(@UPPER@_LIMIT, "a size is beyond the library's limits");
        model_ = @PREFIX@_create(memory_.get(), size_);
    }

    /* The same with weights from a file, which is mapped. */
    explicit Model(const std::string &weights, const int64_t *dims = nullptr) : Model(dims) {
        check(@PREFIX@_map(model_, weights.c_str()));
    }

    Model(Model &&other) noexcept
        : size_(other.size_), memory_(std::move(other.memory_)), model_(std::exchange(other.model_, nullptr)) {}

    Model &operator=(Model &&other) noexcept {
        std::swap(size_, other.size_);
        std::swap(memory_, other.memory_);
        std::swap(model_, other.model_);
        return *this;
    }

    ~Model() { @PREFIX@_unmap(model_); }

    void run(const Tensor *inputs, const Tensor *outputs) { check(@PREFIX@_run(model_, inputs, outputs)); }

    void run(std::initializer_list<Tensor> inputs, std::initializer_list<Tensor> outputs) {
        if (inputs.size() != @UPPER@_INPUTS || outputs.size() != @UPPER@_OUTPUTS)
            throw Error(@UPPER@_SHAPE, "the model takes @INPUTS@ inputs and @OUTPUTS@ outputs");
        run(inputs.begin(), outputs.begin());
    }

    void reset() { @PREFIX@_reset(model_); }

    /* A part of the state, to read and write between runs, and its bytes. */
    std::pair<void *, std::size_t> state(int number) {
        std::size_t bytes = 0;
        void *place = @PREFIX@_state(model_, number, &bytes);
        if (place == nullptr) throw Error(@UPPER@_NULL, "there is no such state");
        return {place, bytes};
    }

    void bind(int number, @PREFIX@_callback function, void *user = nullptr) {
        if (@PREFIX@_bind(model_, number, function, user) != @UPPER@_OK)
            throw Error(@UPPER@_NULL, "there is no such callback");
    }

    /* Split large steps among the threads of a pool, which has to live as long as the model uses it; null: no more. */
    void threads(Pool *pool) {
        if (pool == nullptr)
            @PREFIX@_threads(model_, 1, nullptr, nullptr);
        else
            @PREFIX@_threads(model_, pool->count(), Pool::call, pool);
    }

    @PREFIX@_model *get() { return model_; }

private:
    void check(int code) {
        if (code != @UPPER@_OK) throw Error(code, @PREFIX@_last_error(model_));
    }

    std::size_t size_;
    std::unique_ptr<unsigned char[]> memory_;
    @PREFIX@_model *model_ = nullptr;
};

} // namespace @PREFIX@
#endif
