package io.cle.web.view;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.cle.runtime.internal.coordinator.ElectionView;
import org.jspecify.annotations.Nullable;

/**
 * The terms and gaps of a lease as bars, as far as this coordinator has seen. Units of x and width are thousandths of the line.
 *
 * @param from where the line begins
 * @param to where it ends: now
 * @param bars the terms and gaps, oldest first
 */
public record TimeLine(Instant from, Instant to, List<Bar> bars) {

    /** The line's length. */
    public static final int WIDTH = 1000;

    /** So many colors tell leaders apart, in turn. */
    static final int COLORS = 6;

    /** A gap of milliseconds within hours must not vanish. */
    private static final int NARROWEST = 3;

    /**
     * A term, or a gap between two.
     *
     * @param x where it begins
     * @param width how long it is
     * @param color the number of the leader's color; -1 for a gap
     * @param holder who led; {@code null} for a gap
     * @param length how long it lasted, or has lasted until now
     * @param from since when
     * @param until until when; {@code null} while it lasts
     */
    public record Bar(
            int x,
            int width,
            int color,
            @Nullable String holder,
            String length,
            Instant from,
            @Nullable Instant until) {

        /** What it says of itself. */
        public String title() {
            return (holder == null ? "no leader" : holder) + " for " + length;
        }
    }

    /** The time line of terms, which are in order; without bars when there are none. */
    public static TimeLine of(List<ElectionView.PastTerm> terms, @Nullable Instant vacantSince, Instant now) {
        if (terms.isEmpty()) {
            return new TimeLine(now, now, List.of());
        }
        Instant from = terms.get(0).from();
        Map<String, Integer> colors = new LinkedHashMap<>();
        List<Bar> bars = new ArrayList<>();
        Instant end = from;
        for (ElectionView.PastTerm term : terms) {
            if (term.from().isAfter(end)) {
                bars.add(bar(from, now, end, term.from(), -1, null));
            }
            int color = colors.computeIfAbsent(term.holder(), unused -> colors.size() % COLORS);
            Instant until = term.until() == null ? vacantSince : term.until();
            bars.add(bar(from, now, term.from(), until, color, Shown.text(term.holder())));
            end = until == null ? now : until;
        }
        if (now.isAfter(end)) {
            bars.add(bar(from, now, end, null, -1, null));
        }
        return new TimeLine(from, now, List.copyOf(bars));
    }

    private static Bar bar(
            Instant origin, Instant now, Instant from, @Nullable Instant until, int color, @Nullable String holder) {
        Instant to = until == null ? now : until;
        int x = position(origin, now, from);
        int width = Math.max(NARROWEST, position(origin, now, to) - x);
        return new Bar(
                Math.min(x, WIDTH - width),
                width,
                color,
                holder,
                Shown.duration(Duration.between(from, to)),
                from,
                until);
    }

    private static int position(Instant origin, Instant now, Instant instant) {
        long all = Math.max(1, Duration.between(origin, now).toMillis());
        return (int) Math.max(
                0, Math.min(WIDTH, Duration.between(origin, instant).toMillis() * WIDTH / all));
    }

    /** The bars in the order to draw them: gaps last, so that no term covers a short one. */
    public List<Bar> gapsOnTop() {
        return Stream.concat(
                        bars.stream().filter(bar -> bar.holder() != null),
                        bars.stream().filter(bar -> bar.holder() == null))
                .toList();
    }

    /** The bars, newest first, for the table beside the line. */
    public List<Bar> newestFirst() {
        List<Bar> reversed = new ArrayList<>(bars);
        Collections.reverse(reversed);
        return reversed;
    }
}
