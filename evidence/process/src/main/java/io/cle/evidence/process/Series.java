package io.cle.evidence.process;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** The results of several trials of one measurement, in one unit. Not thread-safe. */
public final class Series {

    private final List<Double> values = new ArrayList<>();

    public void add(double value) {
        values.add(value);
    }

    public boolean isEmpty() {
        return values.isEmpty();
    }

    /** Returns the median. */
    public double median() {
        List<Double> sorted = sorted();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    private List<Double> sorted() {
        if (values.isEmpty()) {
            throw new IllegalStateException("nothing was measured");
        }
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted;
    }

    /** Formats as median (minimum–maximum), or as the median alone if there is one value. */
    public String text(String unit) {
        List<Double> sorted = sorted();
        String median = number(median()) + (unit.isEmpty() ? "" : " " + unit);
        return sorted.size() == 1
                ? median
                : median + " (" + number(sorted.get(0)) + "–" + number(sorted.get(sorted.size() - 1)) + ")";
    }

    public static String number(double value) {
        return Math.abs(value) < 10 && value != Math.rint(value)
                ? String.format(Locale.ROOT, "%.1f", value)
                : String.format(Locale.ROOT, "%,d", Math.round(value));
    }
}
