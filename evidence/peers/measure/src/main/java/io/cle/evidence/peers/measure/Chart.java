package io.cle.evidence.peers.measure;

import java.util.List;
import java.util.Locale;

/** The medians as bars, a panel for each row: an SVG picture for a page. */
final class Chart {

    private static final int WIDTH = 860;
    private static final int LABELS = 240;
    private static final int BARS = 400;
    private static final int LINE = 20;
    private static final int HEADING = 34;

    private Chart() {}

    /** Draws what was measured; a bar's length counts within its panel only. */
    static String svg(Results results) {
        StringBuilder panels = new StringBuilder();
        int y = 10;
        for (Row row : results.rows()) {
            if (row.charted()) {
                y = panel(row, results, y, panels);
            }
        }
        return String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"13\">%n"
                        + "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>%n%s</svg>%n",
                WIDTH,
                y + 10,
                panels);
    }

    /** Draws one row from {@code y} on, and returns where the next one begins. */
    private static int panel(Row row, Results results, int y, StringBuilder svg) {
        List<Contestant> contestants = results.contestants().stream()
                .filter(contestant -> !results.cell(row, contestant).isEmpty())
                .toList();
        double largest = contestants.stream()
                .mapToDouble(contestant -> results.median(row, contestant).orElse(0.0))
                .max()
                .orElse(0);
        text(svg, 10, y + 20, "font-weight=\"bold\"", row.title());
        int line = y + HEADING;
        for (Contestant contestant : contestants) {
            double median = results.median(row, contestant).orElse(0.0);
            long length = largest == 0 ? 0 : Math.round(BARS * median / largest);
            text(
                    svg,
                    LABELS - 8,
                    line + 13,
                    "text-anchor=\"end\"",
                    contestant.title().replace("`", ""));
            svg.append(String.format(
                    Locale.ROOT,
                    "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>%n",
                    LABELS,
                    line + 2,
                    Math.max(1, length),
                    LINE - 6,
                    row == Row.CUT_TWO ? "#c0392b" : contestant.isOurs() ? "#2e7d32" : "#90a4ae"));
            text(svg, LABELS + Math.max(1, length) + 6, line + 13, "", results.cell(row, contestant));
            line += LINE;
        }
        return line + 6;
    }

    private static void text(StringBuilder svg, long x, long y, String attributes, String content) {
        String escaped = content.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
        svg.append(String.format(Locale.ROOT, "<text x=\"%d\" y=\"%d\" %s>%s</text>%n", x, y, attributes, escaped));
    }
}
