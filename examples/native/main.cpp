// c++ -std=c++17 -I out/mlp main.cpp out/mlp/libmlp.a -lm -lpthread && ./a.out
#include "mlp.hpp"

#include <cstdio>

int main() {
    try {
        mlp::Pool pool(2);
        mlp::Model model;
        model.threads(&pool);
        float x[64], y[10];
        for (int k = 0; k < 64; k++) x[k] = static_cast<float>(k) / 64.0f;
        model.run({{x, nullptr}}, {{y, nullptr}});
        for (float number : y) std::printf("%.9g ", static_cast<double>(number));
        std::printf("\n");
        model.run({{nullptr, nullptr}}, {{y, nullptr}});
    } catch (const mlp::Error &error) {
        std::printf("error %d: %s\n", error.code, error.what());
    }
}
