package io.cle.evidence.benchmark;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.cle.evidence.process.Series;

/** All measurements and their table. Not thread-safe. */
final class Results {

    private final Map<Line, Series> series = new EnumMap<>(Line.class);
    private final ShardCosts shards = new ShardCosts();
    private final List<String> remarks = new ArrayList<>();

    /** Adds a measurement. */
    void add(Line line, double value) {
        series.computeIfAbsent(line, unused -> new Series()).add(value);
    }

    /** Returns the costs of events that move shards. */
    ShardCosts shards() {
        return shards;
    }

    /** Adds a remark for readers of the table. */
    void remark(String remark) {
        if (!remarks.contains(remark)) {
            remarks.add(remark);
        }
    }

    /** Returns the lines whose median misses its goal. */
    List<Line> missed() {
        return series.entrySet().stream()
                .filter(measured -> !measured.getKey().met(measured.getValue().median()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns the tables in Markdown, followed by the remarks. */
    String markdown() {
        StringBuilder text = new StringBuilder(shards.markdown());
        if (!text.isEmpty() && !series.isEmpty()) {
            text.append("\n");
        }
        if (!series.isEmpty()) {
            text.append(lines());
        }
        remarks.forEach(remark -> text.append("\n- ").append(remark));
        return text.toString().stripTrailing() + "\n";
    }

    private StringBuilder lines() {
        StringBuilder text = new StringBuilder("| what a user waits for | goal | measured |\n|---|---|---|\n");
        series.forEach((line, measured) -> text.append("| " + line.title() + " | " + line.goal() + " | "
                + measured.text(line.unit()) + (line.met(measured.median()) ? "" : " ✗") + " |\n"));
        return text;
    }
}
