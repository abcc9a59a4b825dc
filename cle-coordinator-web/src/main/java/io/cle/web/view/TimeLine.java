package io.cle.web.view;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.cle.election.internal.ElectionView;
import io.cle.election.internal.ElectionView.PastTerm;
import org.jspecify.annotations.Nullable;

/**
 * The terms and gaps of a lease within a span until now, as observed by this coordinator. Units of x and width are thousandths of the line.
 * There is no bar for times of which nothing is known. A term lasts until its holder has released the lease, or else until its last
 * renewal.
 *
 * @param span the requested span
 * @param from the beginning of the line
 * @param to the end of the line: now
 * @param knownSince since when all terms and gaps are known; not before {@code from}
 * @param bars the terms and gaps of the line, oldest first
 * @param vacant how long no process has led within the line
 * @param unknown how long, since {@code knownSince}, it is unknown whether a process has led
 */
public record TimeLine(
        Span span, Instant from, Instant to, Instant knownSince, List<Bar> bars, Duration vacant, Duration unknown) {

    /** The length of the line. */
    public static final int WIDTH = 1000;

    /** The maximum number of rows of the table beside the line. */
    static final int LONGEST_TABLE = 40;

    /** The number of colors that distinguish leaders. */
    static final int COLORS = 6;

    /** The minimum width of a gap, so that a gap of milliseconds is visible within weeks. */
    private static final int NARROWEST = 3;

    /**
     * A term, or a gap between two terms.
     *
     * @param x its beginning on the line
     * @param width its length on the line
     * @param color the number of the leader's color; -1 for a gap
     * @param holder who led; {@code null} for a gap
     * @param from when it began, even if that is before the beginning of the line
     * @param begunBefore whether it began before it was first observed
     * @param until when it ended; {@code null} if it hasn't
     * @param length how long it lasted, or has lasted until now
     */
    public record Bar(
            int x,
            int width,
            int color,
            @Nullable String holder,
            Instant from,
            boolean begunBefore,
            @Nullable Instant until,
            String length) {

        /** Returns the tooltip. */
        public String title() {
            return (holder == null ? "no leader" : holder) + " for " + length;
        }
    }

    /**
     * The time until now that a time line shows.
     *
     * @param slug its name in a URL: {@code 15m}, {@code 6h}, {@code 1d}, {@code 4w}; empty for everything that is known
     * @param length its length; {@code null} for everything that is known
     */
    public record Span(String slug, @Nullable Duration length) {

        private static final Pattern SLUG = Pattern.compile("([1-9]\\d{0,3})([mhdw])");

        /** Everything that is known. */
        public static final Span ALL = new Span("", null);

        /** The spans that the page offers. */
        public static final List<Span> OFFERED =
                List.of(of("15m"), of("1h"), of("6h"), of("1d"), of("1w"), of("4w"), ALL);

        /** Reads a URL parameter. An invalid value is treated as absent. */
        public static Span of(@Nullable String slug) {
            Matcher matcher = SLUG.matcher(slug == null ? "" : slug);
            if (!matcher.matches()) {
                return ALL;
            }
            int count = Integer.parseInt(matcher.group(1));
            return new Span(
                    matcher.group(),
                    switch (matcher.group(2)) {
                        case "m" -> Duration.ofMinutes(count);
                        case "h" -> Duration.ofHours(count);
                        case "d" -> Duration.ofDays(count);
                        default -> Duration.ofDays(7L * count);
                    });
        }

        /** Returns the text for display. */
        public String text() {
            return length == null ? "all" : slug.replaceFirst("(?=[mhdw])", " ");
        }
    }

    /** A stretch of time, with or without a leader. */
    private record Stretch(
            @Nullable PastTerm term, Instant from, @Nullable Instant until) {

        Instant end(Instant now) {
            return until == null ? now : until;
        }

        boolean isGap() {
            return term == null;
        }

        boolean isUnknown() {
            return term != null && term.holder() == null;
        }

        Duration within(Instant from, Instant to) {
            Duration inside = Duration.between(later(this.from, from), end(to));
            return inside.isNegative() ? Duration.ZERO : inside;
        }
    }

    /** Returns the time line of a lease. */
    public static TimeLine of(ElectionView lease, Instant now, Span span) {
        Instant known = lease.knownSince() == null ? now : lease.knownSince();
        Instant from = span.length() == null ? known : now.minus(span.length());
        List<Stretch> shown = stretches(lease.terms(), known, lease.vacantSinceAt(now), now).stream()
                .filter(stretch -> stretch.end(now).isAfter(from))
                .toList();
        Map<String, Integer> colors = new HashMap<>();
        return new TimeLine(
                span,
                from,
                now,
                later(known, from),
                shown.stream()
                        .filter(stretch -> !stretch.isUnknown())
                        .map(stretch -> bar(stretch, from, now, colors))
                        .toList(),
                sum(shown.stream().filter(Stretch::isGap), from, now),
                sum(shown.stream().filter(Stretch::isUnknown), from, now));
    }

    private static Duration sum(Stream<Stretch> stretches, Instant from, Instant now) {
        return stretches.map(stretch -> stretch.within(from, now)).reduce(Duration.ZERO, Duration::plus);
    }

    private static List<Stretch> stretches(
            List<PastTerm> terms, Instant known, @Nullable Instant vacantSince, Instant now) {
        List<Stretch> stretches = new ArrayList<>();
        Instant end = known;
        for (PastTerm term : terms) {
            if (term.from().isAfter(end)) {
                stretches.add(new Stretch(null, end, term.from()));
            }
            Instant until = term.until() == null ? vacantSince : term.until();
            stretches.add(new Stretch(term, term.from(), until));
            end = until == null ? now : until;
        }
        if (now.isAfter(end)) {
            stretches.add(new Stretch(null, end, null));
        }
        return stretches;
    }

    private static Bar bar(Stretch stretch, Instant from, Instant now, Map<String, Integer> colors) {
        PastTerm term = stretch.term();
        String holder = term == null ? null : term.holder();
        int x = position(from, now, stretch.from());
        int width = Math.max(NARROWEST, position(from, now, stretch.end(now)) - x);
        return new Bar(
                Math.min(x, WIDTH - width),
                width,
                holder == null ? -1 : colors.computeIfAbsent(holder, unused -> colors.size() % COLORS),
                holder == null ? null : DisplayFormat.text(holder),
                stretch.from(),
                term != null && term.begunBefore(),
                stretch.until(),
                DisplayFormat.duration(Duration.between(stretch.from(), stretch.end(now))));
    }

    private static int position(Instant from, Instant now, Instant instant) {
        long all = Math.max(1, Duration.between(from, now).toMillis());
        return (int) Math.max(0, Math.min(WIDTH, Duration.between(from, instant).toMillis() * WIDTH / all));
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    /** Returns whether a part of the line is unknown. */
    public boolean incomplete() {
        return knownSince.isAfter(from) || !unknown.isZero();
    }

    /** Returns the length of the known part of the line, for display. */
    public String known() {
        return DisplayFormat.duration(Duration.between(knownSince, to).minus(unknown));
    }

    /** Returns the number of gaps. */
    public long gaps() {
        return bars.stream().filter(bar -> bar.holder() == null).count();
    }

    /** Returns how long no process has led, for display. */
    public String vacancy() {
        return DisplayFormat.duration(vacant);
    }

    /** Returns the share of the known time in which a process has led, in percent, rounded down so that only a line without gaps has 100. */
    public String availability() {
        long thousandths = ledThousandths();
        return thousandths == 100_000
                ? "100 %"
                : String.format(Locale.ROOT, "%d.%03d %%", thousandths / 1000, thousandths % 1000);
    }

    /** Returns the availability in thousandths of a percent. */
    public long ledThousandths() {
        long known = Math.max(1, Duration.between(knownSince, to).minus(unknown).toMillis());
        long led = known - Math.min(known, (vacant.toNanos() + 999_999) / 1_000_000);
        return Math.floorDiv(led * 100_000L, known);
    }

    /** Returns the labels at the beginning and in the middle of the line. */
    public List<String> scale() {
        Duration length = Duration.between(from, to);
        return Stream.of(from, from.plus(length.dividedBy(2)))
                .map(instant -> DisplayFormat.tick(instant, length))
                .toList();
    }

    /** Returns the bars in the order to draw them: gaps last, so that no term covers a short one. */
    public List<Bar> gapsOnTop() {
        return Stream.concat(
                        bars.stream().filter(bar -> bar.holder() != null),
                        bars.stream().filter(bar -> bar.holder() == null))
                .toList();
    }

    /** Returns the latest bars, newest first, for the table beside the line. */
    public List<Bar> table() {
        List<Bar> reversed = new ArrayList<>(bars);
        Collections.reverse(reversed);
        return List.copyOf(reversed.subList(0, Math.min(LONGEST_TABLE, reversed.size())));
    }

    /** Returns the number of older bars that the table omits. */
    public int older() {
        return Math.max(0, bars.size() - LONGEST_TABLE);
    }
}
