// A JSON reader that is just enough for the arena's lines. Whatever is missing reads as null,
// so a field that is not there needs no test by the caller.
#pragma once
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

struct Json {
    enum Kind { Null, Bool, Number, Text, List, Object } kind = Null;
    double number = 0;  // also 1 and 0 for true and false
    std::string text;
    std::vector<Json> items;
    std::map<std::string, Json> fields;

    const Json& operator[](const std::string& name) const {
        static const Json nothing;
        auto found = fields.find(name);
        return found == fields.end() ? nothing : found->second;
    }
    bool is_null() const { return kind == Null; }
    bool truth() const { return kind == Bool && number != 0; }
    int integer(int otherwise) const { return kind == Number ? int(number) : otherwise; }
    bool has(const std::string& word) const {
        for (const Json& item : items)
            if (item.text == word) return true;
        return false;
    }
};

class JsonReader {
   public:
    explicit JsonReader(const std::string& line) : at(line.c_str()) {}

    Json value() {
        skip();
        Json json;
        switch (*at) {
            case '{': read_object(json); break;
            case '[': read_list(json); break;
            case '"': json.kind = Json::Text; json.text = string(); break;
            case 't': word(json, Json::Bool, 1); break;
            case 'f': word(json, Json::Bool, 0); break;
            case 'n': word(json, Json::Null, 0); break;
            default: read_number(json);
        }
        return json;
    }

   private:
    const char* at;

    void skip() { while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r') ++at; }

    bool take(char wanted) {
        skip();
        if (*at != wanted) return false;
        ++at;
        return true;
    }

    void word(Json& json, Json::Kind kind, double number) {
        json.kind = kind;
        json.number = number;
        while (*at >= 'a' && *at <= 'z') ++at;
    }

    void read_number(Json& json) {
        char* end;
        json.kind = Json::Number;
        json.number = std::strtod(at, &end);
        at = end == at && *at ? at + 1 : end;  // never stand still on what is not JSON
    }

    std::string string() {
        std::string text;
        for (++at; *at && *at != '"'; ++at) {
            if (*at == '\\' && at[1]) ++at;  // no text that matters here has escapes
            text += *at;
        }
        if (*at) ++at;
        return text;
    }

    void read_list(Json& json) {
        json.kind = Json::List;
        ++at;
        while (*at && !take(']')) {
            json.items.push_back(value());
            take(',');
        }
    }

    void read_object(Json& json) {
        json.kind = Json::Object;
        ++at;
        while (*at && !take('}')) {
            skip();
            if (*at != '"') { ++at; continue; }
            std::string name = string();
            take(':');
            json.fields[name] = value();
            take(',');
        }
    }
};
