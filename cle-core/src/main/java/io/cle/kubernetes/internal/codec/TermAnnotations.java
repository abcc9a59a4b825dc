package io.cle.kubernetes.internal.codec;

import java.time.Duration;
import java.util.Objects;

import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.Json;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.json.Rfc3339;
import io.cle.model.internal.TermAnnotation;
import io.cle.model.internal.TermAnnotation.Ended;
import org.jspecify.annotations.Nullable;

/** The term annotation as JSON ({@code docs/protocol.md}). Unknown fields are ignored, and lost with the next write. */
final class TermAnnotations {

    /** More than twice the length of any annotation of this project. Limited because every watcher of a lease reads it with every renewal. */
    private static final int LONGEST = 2048;

    private static final String TERM = "term";
    private static final String PREEMPTING = "preempting";

    private TermAnnotations() {}

    /** Parses an annotation; {@code null} if there is none. A malformed annotation is treated as absent (safety.md#term-annotation). */
    static @Nullable TermAnnotation parse(@Nullable String text) {
        if (text == null || text.length() > LONGEST) {
            return null;
        }
        try {
            return read(Fields.of(Json.parseObject(text)));
        } catch (MalformedObjectException | IllegalArgumentException e) {
            return null;
        }
    }

    private static @Nullable TermAnnotation read(Fields parts) throws MalformedObjectException {
        boolean preempts = parts.has(PREEMPTING);
        Integer seconds = parts.integer("duration", 0);
        Ended ended = new Ended(parts.string("ended"), parts.string("after"));
        TermAnnotation annotation = new TermAnnotation(
                parts.string(preempts ? PREEMPTING : TERM),
                preempts,
                parts.string("write"),
                Duration.ofSeconds(Objects.requireNonNullElse(seconds, 0)),
                parts.string("holder"),
                parts.time("acquireTime"),
                ended);
        boolean saysNothing = annotation.holder() == null && ended.equals(Ended.NOTHING);
        return saysNothing ? null : annotation;
    }

    static @Nullable String text(@Nullable TermAnnotation annotation) {
        if (annotation == null) {
            return null;
        }
        JsonObject parts = new JsonObject();
        Json.add(parts, annotation.preempts() ? PREEMPTING : TERM, annotation.term());
        Json.add(parts, "write", annotation.write());
        if (annotation.term() != null) {
            parts.addProperty(
                    "duration", annotation.duration().plusNanos(999_999_999).toSeconds());
        }
        Json.add(parts, "holder", annotation.holder());
        if (annotation.holder() != null) {
            parts.addProperty(
                    "acquireTime", Rfc3339.micro(Objects.requireNonNull(annotation.acquireTime(), "of a holder")));
        }
        Json.add(parts, "ended", annotation.ended().term());
        Json.add(parts, "after", annotation.ended().after());
        return parts.toString();
    }
}
