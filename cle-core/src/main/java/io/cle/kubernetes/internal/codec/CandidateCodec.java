package io.cle.kubernetes.internal.codec;

import java.time.Instant;
import java.util.List;

import com.google.gson.JsonObject;
import io.cle.ApiFormat;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.Candidate;

/** Candidates in one wire format. Pure. */
public interface CandidateCodec extends JsonCodec<Candidate> {

    /** The codec of a kind of candidates. */
    static CandidateCodec of(ResourceType kind) {
        return kind.format() == ApiFormat.NATIVE ? new NativeCandidateCodec(kind) : new CrdCandidateCodec();
    }

    /**
     * The merge patch that writes what a candidate says of itself and takes back a ping; everything but the name, so that it
     * also makes a new one.
     *
     * @throws IllegalArgumentException with a message for a person, when the format can't express the candidate
     */
    JsonObject renewal(Candidate candidate);

    /** The merge patch that asks for an acknowledgement. */
    JsonObject ping(Instant time);

    /** All of it: who leads depends on each of a candidate's fields (safety.md#write-that-stays). */
    @Override
    default List<String> changes(JsonObject written, JsonObject stored) {
        return StoredChanges.ofCandidate(written, stored);
    }
}
