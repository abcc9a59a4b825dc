package io.cle.evidence.benchmark;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.cle.evidence.process.Series;

/** All that was measured, and the table of it. Not thread-safe. */
final class Results {

    /** Whose leader election was measured. */
    enum Contestant {
        OURS,
        CLIENT_JAVA
    }

    private final Map<Line, Map<Contestant, Series>> series = new EnumMap<>(Line.class);
    private final List<String> remarks = new ArrayList<>();

    /** Takes note of a measurement. */
    void add(Line line, Contestant contestant, double value) {
        series.computeIfAbsent(line, unused -> new EnumMap<>(Contestant.class))
                .computeIfAbsent(contestant, unused -> new Series())
                .add(value);
    }

    /** Takes note of something that a reader of the table has to know. */
    void remark(String remark) {
        if (!remarks.contains(remark)) {
            remarks.add(remark);
        }
    }

    /** The lines whose median isn't what we want. */
    List<Line> missed() {
        List<Line> missed = new ArrayList<>();
        series.forEach((line, measured) -> {
            Series ours = measured.get(Contestant.OURS);
            if (ours != null && !line.met(ours.median())) {
                missed.add(line);
            }
        });
        return missed;
    }

    /** The table in Markdown, with the remarks below it. */
    String markdown() {
        StringBuilder text = new StringBuilder();
        text.append("| what a user waits for | goal | ours | client-java's elector | ratio |")
                .append(" *elsewhere: native* | *elsewhere: client-go* |\n");
        text.append("|---|---|---|---|---|---|---|\n");
        series.forEach((line, measured) -> text.append(row(line, measured)));
        remarks.forEach(remark -> text.append("\n- ").append(remark));
        return text.toString().stripTrailing() + "\n";
    }

    private static String row(Line line, Map<Contestant, Series> measured) {
        Series ours = measured.get(Contestant.OURS);
        Series theirs = measured.get(Contestant.CLIENT_JAVA);
        String verdict = ours == null || line.met(ours.median()) ? "" : " ✗";
        return "| " + line.title() + " | " + line.goal() + " | "
                + (ours == null ? "–" : ours.text(line.unit()) + verdict) + " | "
                + (theirs == null ? "–" : theirs.text(line.unit())) + " | "
                + (ours == null || theirs == null ? "" : line.ratio(ours.median(), theirs.median())) + " | *"
                + line.nativeElsewhere() + "* | *" + line.directElsewhere() + "* |\n";
    }
}
