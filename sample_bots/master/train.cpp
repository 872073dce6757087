// Deep Monte Carlo: three seats play by the networks, mostly the best action and now and then any, and
// each network's worth of what was done is drawn towards what the seat was paid.
//
// g++ -O3 -march=x86-64-v3 -ffast-math -std=c++17 -o train train.cpp && ./train weights.bin DEALS SEED
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>

#include "search.hpp"

const int PLACES = int(sizeof(Net) / sizeof(float));
const int BATCH = 256;

struct Sample {
    uint16_t on[160];
    int size, output;
    float paid;
};

// A network with what Adam remembers, and a mean of it over time, which is what is kept.
struct Learner {
    Net net, gradient, mean, first_moment, second_moment;
    std::vector<Sample> samples;
    int steps = 0;
    double error = 0;
    long seen = 0;
    bool touched[FEATURES];

    void begin(Random& random) {
        std::memset(static_cast<void*>(&net), 0, sizeof net);
        std::memset(static_cast<void*>(&gradient), 0, sizeof gradient);
        std::memset(static_cast<void*>(&first_moment), 0, sizeof net);
        std::memset(static_cast<void*>(&second_moment), 0, sizeof net);
        fill(&net.first[0][0], FEATURES * WIDE, 0.2, random);
        fill(&net.second[0][0], WIDE * NARROW, std::sqrt(3.0 / WIDE), random);
        mean = net;
    }

    void learn(double rate) {
        if (samples.size() < size_t(BATCH)) return;
        std::memset(touched, 0, sizeof touched);
        for (const Sample& sample : samples) add(sample);
        step(rate, float(samples.size()));
        samples.clear();
    }

   private:
    static void fill(float* at, int n, double width, Random& random) {
        for (int i = 0; i < n; ++i) at[i] = float((2 * random.unit() - 1) * width);
    }

    void add(const Sample& sample) {
        Features features;
        std::memcpy(features.on, sample.on, sizeof sample.on);
        features.size = sample.size;
        Hidden hidden;
        hide(net, features, hidden);
        float off = judge(net, hidden, sample.output) - sample.paid;
        error += off * off, ++seen;
        off = std::clamp(off, -6.0f, 6.0f);
        float narrow[NARROW], wide[WIDE];
        gradient.last_bias[sample.output] += off;
        for (int i = 0; i < NARROW; ++i) {
            gradient.last[sample.output][i] += off * hidden.narrow[i];
            narrow[i] = hidden.narrow[i] > 0 ? off * net.last[sample.output][i] : 0;
            gradient.second_bias[i] += narrow[i];
        }
        for (int k = 0; k < WIDE; ++k) {
            wide[k] = 0;
            if (hidden.wide[k] <= 0) continue;
            float sum = 0, in = hidden.wide[k];
            float* row = gradient.second[k];
            const float* weights = net.second[k];
            for (int i = 0; i < NARROW; ++i) {
                row[i] += in * narrow[i];
                sum += weights[i] * narrow[i];
            }
            wide[k] = sum;
        }
        for (int k = 0; k < WIDE; ++k) gradient.first_bias[k] += wide[k];
        for (int f = 0; f < sample.size; ++f) {
            touched[sample.on[f]] = true;
            float* column = gradient.first[sample.on[f]];
            for (int k = 0; k < WIDE; ++k) column[k] += wide[k];
        }
    }

    void step(double rate, float size) {
        ++steps;
        for (int f = 0; f < FEATURES; ++f)
            if (touched[f]) adam(f * WIDE, (f + 1) * WIDE, rate, size);
        adam(FEATURES * WIDE, PLACES, rate, size);
    }

    void adam(int begin, int end, double rate, float size) {
        float* weights = &net.first[0][0];
        float* slopes = &gradient.first[0][0];
        float* one = &first_moment.first[0][0];
        float* two = &second_moment.first[0][0];
        float* kept = &mean.first[0][0];
        const float pace = float(rate), slow = steps < 3000 ? 0.01f : 0.001f;
        for (int i = begin; i < end; ++i) {
            float slope = slopes[i] / size;
            slopes[i] = 0;
            one[i] = 0.9f * one[i] + 0.1f * slope;
            two[i] = 0.999f * two[i] + 0.001f * slope * slope;
            weights[i] -= pace * one[i] / (std::sqrt(two[i]) + 1e-6f);
            kept[i] += slow * (weights[i] - kept[i]);
        }
    }
};

// The rules of the presets, as far as they matter to the play: three deals in four by `pagat`.
std::vector<Rules> all_rules() {
    std::vector<Rules> rules(4);
    rules[1].small_solo = true;
    rules[2].small_solo = rules[2].talon_after_bid = rules[2].table.talon_plays = true;
    rules[2].table.settlement = "fewest_tricks_collects";
    rules[3].solo = false;
    const double dear[6] = {6, 5, 4, -5, -6, -7};
    std::copy(dear, dear + 6, rules[3].rows[0]);
    return rules;
}

struct Taken {
    int kind, seat, output;
    Features features;
};

int main(int argc, char** argv) {
    const char* path = argc > 1 ? argv[1] : "weights.bin";
    const long most = argc > 2 ? std::atol(argv[2]) : 5000000;
    Random random{uint64_t(argc > 3 ? std::atoll(argv[3]) : 1)};
    std::vector<Rules> rules = all_rules();
    std::vector<Learner> learners(KINDS);
    std::vector<Net> nets(KINDS);
    for (int i = 0; i < KINDS; ++i) learners[i].begin(random), nets[i] = learners[i].net;
    auto began = std::clock();
    long deals = 0, told = 0, declared = 0, made = 0;
    long next_report = 0;
    std::vector<Taken> taken;
    for (;;) {
        double part = std::min(1.0, double(deals) / double(most));
        double rate = 1e-3 * (part < 0.5 ? 1 : std::pow(0.02, 2 * (part - 0.5)));
        double chance = 0.06 * (1 - part) + 0.01;
        for (int i = 0; i < 64; ++i, ++deals) {
            int cards[26];
            for (int c = 0; c < 26; ++c) cards[c] = c;
            for (int c = 25; c; --c) std::swap(cards[c], cards[random.below(c + 1)]);
            Deal deal;
            int pick = random.below(16);
            deal.rules = &rules[pick < 12 ? 0 : pick == 15 ? 3 : pick == 14 ? 1 : 2];
            for (int c = 0; c < 24; ++c) deal.hands[c / 8] |= bit(cards[c]);
            deal.talon[0] = cards[24], deal.talon[1] = cards[25];
            std::copy(deal.hands, deal.hands + 3, deal.dealt);
            Turned turned[3] = {Turned(deal.dealt[0]), Turned(deal.dealt[1]), Turned(deal.dealt[2])};
            taken.clear();
            while (deal.phase != Deal::Over) {
                Choice choice;
                list(deal, choice);
                if (choice.size == 1) { deal.act(choice.actions[0]); continue; }
                Judgement how;
                const Turned& mine = turned[deal.seat];
                judge(&nets[0], deal, mine, choice, how);
                int action = random.unit() < chance ? choice.actions[random.below(choice.size)] : choice.best();
                taken.push_back({kind_of(deal), deal.seat, action < 26 ? mine.to[action] : action, how.features});
                if (deal.phase == Deal::Discarding) deal.seat = deal.declarer;
                deal.act(action);
            }
            Stakes paid = deal.paid();
            declared += deal.declarer >= 0;
            made += deal.declarer >= 0 && paid[size_t(deal.declarer)] > 0;
            for (const Taken& each : taken) {
                Sample sample;
                std::memcpy(sample.on, each.features.on, sizeof sample.on);
                sample.size = each.features.size, sample.output = each.output;
                sample.paid = float(paid[size_t(each.seat)]);
                learners[each.kind].samples.push_back(sample);
            }
        }
        for (int i = 0; i < KINDS; ++i)
            if (learners[i].samples.size() >= size_t(BATCH)) learners[i].learn(rate), nets[i] = learners[i].net;
        if (deals >= next_report || deals >= most) {
            next_report = deals + most / 50;
            double spent = double(std::clock() - began) / CLOCKS_PER_SEC;
            std::printf("%5.0f s %9ld deals, declared %.3f, made %.3f, errors", spent, deals,
                        double(declared) / double(deals - told), double(made) / double(std::max(declared, 1L)));
            told = deals, declared = made = 0;
            for (Learner& learner : learners) {
                std::printf(" %.3f", learner.error / std::max(learner.seen, 1L));
                learner.error = 0, learner.seen = 0;
            }
            std::printf("\n");
            std::fflush(stdout);
            std::vector<int16_t> raw;
            for (Learner& learner : learners)
                for (int i = 0; i < PLACES; ++i)
                    raw.push_back(int16_t(std::clamp((&learner.mean.first[0][0])[i] * 2048.0f, -32767.0f, 32767.0f)));
            std::FILE* file = std::fopen((std::string(path) + ".new").c_str(), "wb");
            std::fwrite(raw.data(), 2, raw.size(), file);
            std::fclose(file);
            std::rename((std::string(path) + ".new").c_str(), path);
            if (deals >= most) return 0;
        }
    }
}
