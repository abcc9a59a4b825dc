package io.cle.kubernetes.internal.codec;

import java.time.Instant;
import java.util.List;

import com.google.gson.JsonObject;
import io.cle.ApiFormat;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.Candidate;

/** Candidates in one wire format. Pure. */
public interface CandidateCodec extends JsonCodec<Candidate> {

    /** Returns the codec of a kind of candidates. */
    static CandidateCodec of(ResourceType kind) {
        return kind.format() == ApiFormat.NATIVE ? new NativeCandidateCodec(kind) : new CrdCandidateCodec();
    }

    /**
     * Returns the merge patch that writes a candidate's own fields and removes a ping. It contains everything except the name, so that it
     * can also create a candidate.
     *
     * @throws IllegalArgumentException if the format can't express the candidate, with a message for people
     */
    JsonObject renewal(Candidate candidate);

    /** Returns the merge patch of a ping. */
    JsonObject ping(Instant time);

    /** Returns all changes, because the election depends on each of a candidate's fields (safety.md#write-that-stays). */
    @Override
    default List<String> changes(JsonObject written, JsonObject stored) {
        return StoredChanges.ofCandidate(written, stored);
    }
}
