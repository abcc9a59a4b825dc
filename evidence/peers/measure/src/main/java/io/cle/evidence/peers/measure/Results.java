package io.cle.evidence.peers.measure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import io.cle.evidence.peers.measure.Measurement.Quality;
import io.cle.evidence.process.Series;

/** All that was measured, its table and its raw data. Not thread-safe. */
final class Results {

    private final List<Measurement> measurements = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();

    void add(Row row, Contestant contestant, int trial, double value) {
        measurements.add(new Measurement(row, contestant, trial, value, Quality.EXACT));
    }

    void add(Measurement measurement) {
        measurements.add(measurement);
    }

    /** Takes note that all rows of some that have no figure of a trial yet are lost. */
    void lost(Contestant contestant, int trial, Row... rows) {
        for (Row row : Row.of(contestant, rows)) {
            if (of(row, contestant).stream().noneMatch(measured -> measured.trial() == trial)) {
                measurements.add(new Measurement(row, contestant, trial, 0, Quality.LOST));
            }
        }
    }

    /** Takes note of something that a reader of the table has to know. */
    void remark(String remark) {
        if (!remarks.contains(remark)) {
            remarks.add(remark);
        }
    }

    private List<Measurement> of(Row row, Contestant contestant) {
        return measurements.stream()
                .filter(measured -> measured.row() == row && measured.contestant() == contestant)
                .toList();
    }

    /** The figures that aren't lost, in ascending order. */
    private List<Measurement> figures(Row row, Contestant contestant) {
        return of(row, contestant).stream()
                .filter(measured -> measured.quality() != Quality.LOST)
                .sorted(Comparator.comparingDouble(Measurement::value))
                .toList();
    }

    /** The median of what isn't lost; empty if there is nothing. */
    Optional<Double> median(Row row, Contestant contestant) {
        Series series = new Series();
        figures(row, contestant).forEach(measured -> series.add(measured.value()));
        return series.isEmpty() ? Optional.empty() : Optional.of(series.median());
    }

    /** Median (smallest–largest), with {@code >} where it is a lower bound, and how many trials were lost; empty if there was no trial. */
    String cell(Row row, Contestant contestant) {
        List<Measurement> figures = figures(row, contestant);
        int trials = of(row, contestant).size();
        int lost = trials - figures.size();
        if (figures.isEmpty()) {
            return trials == 0 ? "" : "lost";
        }
        String text = number(median(row, contestant).orElseThrow(), figures);
        double smallest = figures.get(0).value();
        double largest = figures.get(figures.size() - 1).value();
        if (figures.size() > 1 && smallest != largest) {
            text += " (" + number(smallest, figures) + "–" + number(largest, figures) + ")";
        }
        return lost == 0 ? text : text + ", lost " + lost + " of " + trials;
    }

    /** A figure for people: a lower bound as soon as one that is none is as small. */
    private static String number(double value, List<Measurement> figures) {
        boolean bound = figures.stream()
                .anyMatch(measured -> measured.quality() == Quality.AT_LEAST && measured.value() <= value);
        return (bound ? "> " : "") + Series.number(value);
    }

    List<Contestant> contestants() {
        return measurements.stream()
                .map(Measurement::contestant)
                .distinct()
                .sorted()
                .toList();
    }

    List<Row> rows() {
        return measurements.stream().map(Measurement::row).distinct().sorted().toList();
    }

    /**
     * The table in Markdown, with the remarks below it.
     *
     * @param versions what stands behind the names of the contestants, in the order of {@link #contestants()}
     */
    String markdown(List<String> versions) {
        StringBuilder text = new StringBuilder("| |");
        for (int i = 0; i < versions.size(); i++) {
            text.append(' ')
                    .append((contestants().get(i).title() + " " + versions.get(i)).strip())
                    .append(" |");
        }
        text.append("\n|---|").append("---|".repeat(versions.size())).append('\n');
        for (Row row : rows()) {
            text.append("| ").append(row.title()).append(" |");
            contestants()
                    .forEach(contestant ->
                            text.append(' ').append(cell(row, contestant)).append(" |"));
            text.append('\n');
        }
        remarks.forEach(remark -> text.append("\n- ").append(remark));
        return text.toString().stripTrailing() + "\n";
    }

    /** Every figure, one a line. */
    String csv() {
        return measurements.stream()
                .map(Measurement::csv)
                .collect(Collectors.joining("\n", "row,contestant,trial,value,quality\n", "\n"));
    }
}
