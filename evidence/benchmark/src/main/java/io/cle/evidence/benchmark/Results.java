package io.cle.evidence.benchmark;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.cle.evidence.process.Series;

/** All that was measured, and the table of it. Not thread-safe. */
final class Results {

    private final Map<Line, Series> series = new EnumMap<>(Line.class);
    private final List<String> remarks = new ArrayList<>();

    /** Takes note of a measurement. */
    void add(Line line, double value) {
        series.computeIfAbsent(line, unused -> new Series()).add(value);
    }

    /** Takes note of something that a reader of the table has to know. */
    void remark(String remark) {
        if (!remarks.contains(remark)) {
            remarks.add(remark);
        }
    }

    /** The lines whose median isn't what we want. */
    List<Line> missed() {
        return series.entrySet().stream()
                .filter(measured -> !measured.getKey().met(measured.getValue().median()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The table in Markdown, with the remarks below it. */
    String markdown() {
        StringBuilder text = new StringBuilder("| what a user waits for | goal | measured |\n|---|---|---|\n");
        series.forEach((line, measured) -> text.append("| " + line.title() + " | " + line.goal() + " | "
                + measured.text(line.unit()) + (line.met(measured.median()) ? "" : " ✗") + " |\n"));
        remarks.forEach(remark -> text.append("\n- ").append(remark));
        return text.toString().stripTrailing() + "\n";
    }
}
