package io.cle.test.apiserver.elections;

import java.time.Instant;
import java.util.Comparator;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.json.Rfc3339;
import io.cle.model.Version;
import io.cle.test.apiserver.store.Metadata;
import org.jspecify.annotations.Nullable;

/** A native LeaseCandidate, as far as an election needs it. */
record NativeCandidate(
        String name,
        @Nullable String resourceVersion,
        String strategy,
        Version binaryVersion,
        @Nullable Version emulationVersion,
        Instant renewTime,
        @Nullable Instant pingTime,
        String created) {

    /** By OldestEmulationVersion: the lowest versions, then age, in whole seconds. */
    static final Comparator<NativeCandidate> OLDEST_FIRST = Comparator.comparing(
                    NativeCandidate::emulationVersion, Comparator.nullsFirst(Comparator.<Version>naturalOrder()))
            .thenComparing(NativeCandidate::binaryVersion)
            .thenComparing(NativeCandidate::created);

    /** Returns null, to ignore it, if renewTime or binaryVersion is missing. */
    static @Nullable NativeCandidate of(JsonObject object) {
        JsonObject spec = object.getAsJsonObject("spec");
        Instant renewTime = time(spec, "renewTime");
        String binary = Metadata.string(spec, "binaryVersion");
        if (renewTime == null || binary == null) {
            return null;
        }
        String emulation = Metadata.string(spec, "emulationVersion");
        return new NativeCandidate(
                Metadata.name(object),
                Metadata.resourceVersion(object),
                String.valueOf(Metadata.string(spec, "strategy")),
                Version.parse(binary),
                emulation == null ? null : Version.parse(emulation),
                renewTime,
                time(spec, "pingTime"),
                String.valueOf(Metadata.string(Metadata.of(object), "creationTimestamp")));
    }

    boolean acknowledged() {
        return pingTime == null || !renewTime.isBefore(pingTime);
    }

    static @Nullable Instant time(JsonObject parent, String field) {
        JsonElement value = parent.get(field);
        return value == null || value.isJsonNull() ? null : Rfc3339.parse(value.getAsString());
    }
}
