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
 * The terms and gaps of a lease within a span until now, as far as this coordinator has seen. Units of x and width are thousandths of the
 * line; where nothing is known, there is no bar. A term lasts until its holder has given the lease up, or else until its last renewal.
 *
 * @param span how much was asked for
 * @param from where the line begins
 * @param to where it ends: now
 * @param knownSince since when no term and no gap is missing; not before {@code from}
 * @param bars the terms and gaps of the line, oldest first
 * @param vacant for how long no process has led within the line
 * @param unknown for how long, since {@code knownSince}, it isn't known whether one has
 */
public record TimeLine(
        Span span, Instant from, Instant to, Instant knownSince, List<Bar> bars, Duration vacant, Duration unknown) {

    /** The line's length. */
    public static final int WIDTH = 1000;

    /** So many lines has the table beside it. */
    static final int LONGEST_TABLE = 40;

    /** So many colors tell leaders apart, in turn. */
    static final int COLORS = 6;

    /** A gap of milliseconds within weeks must not vanish. */
    private static final int NARROWEST = 3;

    /**
     * A term, or a gap between two.
     *
     * @param x where it begins on the line
     * @param width how long it is on the line
     * @param color the number of the leader's color; -1 for a gap
     * @param holder who led; {@code null} for a gap
     * @param from since when, even if that is before the line begins
     * @param begunBefore whether it had begun before it was first seen
     * @param until until when; {@code null} while it lasts
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

        /** What it says of itself. */
        public String title() {
            return (holder == null ? "no leader" : holder) + " for " + length;
        }
    }

    /**
     * How much of the past a time line shows, until now.
     *
     * @param slug how it is asked for in a URL: {@code 15m}, {@code 6h}, {@code 1d}, {@code 4w}; empty for all that is known
     * @param length how much that is; {@code null} for all that is known
     */
    public record Span(String slug, @Nullable Duration length) {

        private static final Pattern SLUG = Pattern.compile("([1-9]\\d{0,3})([mhdw])");

        /** All that is known. */
        public static final Span ALL = new Span("", null);

        /** Those that are a click away. */
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

        /** For people. */
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

    /** The time line of what is known of a lease. */
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

    /** Whether not all of the line is known. */
    public boolean incomplete() {
        return knownSince.isAfter(from) || !unknown.isZero();
    }

    /** Where what is known begins on the line. */
    public int knownFrom() {
        return position(from, to, knownSince);
    }

    /** For how long of the line it is known who has led, for people. */
    public String known() {
        return DisplayFormat.duration(Duration.between(knownSince, to).minus(unknown));
    }

    /** How many gaps there are. */
    public long gaps() {
        return bars.stream().filter(bar -> bar.holder() == null).count();
    }

    /** For how long no process has led, for people. */
    public String vacancy() {
        return DisplayFormat.duration(vacant);
    }

    /** The share of what is known in which a process has led, in percent; rounded down, so that only a line without a gap has 100. */
    public String availability() {
        long thousandths = ledThousandths();
        return thousandths == 100_000
                ? "100 %"
                : String.format(Locale.ROOT, "%d.%03d %%", thousandths / 1000, thousandths % 1000);
    }

    /** The same in thousandths of a percent. */
    public long ledThousandths() {
        long known = Math.max(1, Duration.between(knownSince, to).minus(unknown).toMillis());
        long led = known - Math.min(known, (vacant.toNanos() + 999_999) / 1_000_000);
        return Math.floorDiv(led * 100_000L, known);
    }

    /** What stands at the beginning and in the middle of the line. */
    public List<String> scale() {
        Duration length = Duration.between(from, to);
        return Stream.of(from, from.plus(length.dividedBy(2)))
                .map(instant -> DisplayFormat.tick(instant, length))
                .toList();
    }

    /** The bars in the order to draw them: gaps last, so that no term covers a short one. */
    public List<Bar> gapsOnTop() {
        return Stream.concat(
                        bars.stream().filter(bar -> bar.holder() != null),
                        bars.stream().filter(bar -> bar.holder() == null))
                .toList();
    }

    /** The latest bars, newest first, for the table beside the line. */
    public List<Bar> table() {
        List<Bar> reversed = new ArrayList<>(bars);
        Collections.reverse(reversed);
        return List.copyOf(reversed.subList(0, Math.min(LONGEST_TABLE, reversed.size())));
    }

    /** How many older bars the table leaves out. */
    public int older() {
        return Math.max(0, bars.size() - LONGEST_TABLE);
    }
}
