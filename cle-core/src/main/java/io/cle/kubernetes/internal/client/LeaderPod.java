package io.cle.kubernetes.internal.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.transport.Answers;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.loop.internal.EventLoop.Timer;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.cle.model.internal.ApiResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Marks the pod of this process while the process leads ({@link PodMarks}). Writes when a term begins or ends, never for a renewal, and at
 * most once per {@link #INTERVAL}, except that a label is removed at once.
 *
 * <p>Each write contains the pod's uid and resourceVersion, so it neither marks another pod of the same name nor replaces a deletion cost
 * that somebody else has set meanwhile. The pod is read by a patch without changes, which needs no right to {@code get} pods. Thread-safe.
 */
public final class LeaderPod {

    /** The shortest time between two writes that remove no label. */
    static final Duration INTERVAL = Duration.ofSeconds(10);

    /** The delay before repeating a request whose outcome is unknown. */
    static final Duration AGAIN = Duration.ofSeconds(1);

    /** The delay before repeating a request that was refused. */
    static final Duration AGAIN_IF_REFUSED = Duration.ofMinutes(1);

    private static final Logger log = LoggerFactory.getLogger(LeaderPod.class);

    private final ObjectClient client;
    private final PodRef pod;
    private volatile boolean deletedLast;
    // The rest is confined to the loop.
    private final Set<ObjectKey> held = new HashSet<>();
    private final List<CompletableFuture<Void>> leaving = new ArrayList<>();
    private boolean failing;
    /** The pod's metadata as of the last answer; {@code null} if it has to be read. */
    private @Nullable JsonObject known;

    private boolean requestInProgress;
    private long nextAddition;
    private Timer next = () -> {};

    /** Creates the marker of a pod. Sends nothing yet. */
    public LeaderPod(ObjectClient client, PodRef pod) {
        this.client = client;
        this.pod = pod;
    }

    /** Removes the marks of a former process in this pod. Returns at once. */
    public void start() {
        client.loop().execute(this::update);
    }

    /** Marks the pod because this process holds a lease. Returns at once; retries until it succeeds or the term ends. */
    public void lead(ObjectKey lease) {
        client.loop().execute(() -> {
            held.add(lease);
            update();
        });
    }

    /**
     * Removes the marks of a lease, because its term has ended.
     *
     * @return completes when its label is removed, or after one failed attempt; never fails
     */
    public CompletionStage<Void> leave(ObjectKey lease) {
        CompletableFuture<Void> left = new CompletableFuture<>();
        client.loop().execute(() -> {
            held.remove(lease);
            leaving.add(left);
            update();
        });
        return left;
    }

    /** Returns the pod's name. */
    public String name() {
        return pod.key().name();
    }

    /** Returns whether the pod has the deletion cost of a leader. False if somebody else has set a cost or the last patch failed. */
    public boolean deletedLast() {
        return deletedLast;
    }

    private void update() {
        if (requestInProgress) {
            return;
        }
        next.cancel();
        JsonObject read = known;
        if (read == null) {
            send(new JsonObject(), null);
            return;
        }
        PodMarks present = PodMarks.of(read);
        PodMarks desired = present.whileHolding(held);
        boolean removesLabel = present.hasLabelNotIn(desired);
        if (!removesLabel) {
            completeLeaving();
        }
        long wait = nextAddition - client.loop().clock().nanos();
        if (removesLabel || (!present.equals(desired) && wait <= 0)) {
            JsonObject metadata = present.replacedBy(desired);
            metadata.add("resourceVersion", read.get("resourceVersion"));
            nextAddition = client.loop().clock().nanos() + INTERVAL.toNanos();
            send(metadata, desired);
        } else if (!present.equals(desired)) {
            next = client.loop().schedule(Duration.ofNanos(wait), this::update);
        }
    }

    /**
     * Sends a patch of the pod.
     *
     * @param written the marks that it writes; {@code null} if it only reads the pod
     */
    private void send(JsonObject metadata, @Nullable PodMarks written) {
        metadata.addProperty("uid", pod.uid());
        JsonObject patch = new JsonObject();
        patch.add("metadata", metadata);
        ApiRequest request = client.request(
                Verb.PATCH, ResourceType.PODS, pod.key(), pod.key().name(), patch);
        requestInProgress = true;
        client.send(request, response -> Answers.resultOf(request, response, LeaderPod::metadataOf))
                .thenAccept(result -> {
                    requestInProgress = false;
                    handle(result, written);
                });
    }

    private void handle(ApiResult<JsonObject> result, @Nullable PodMarks written) {
        known = result instanceof ApiResult.Ok<JsonObject> ok ? ok.value() : null;
        deletedLast = known != null && PodMarks.of(known).hasWrittenCost();
        boolean outdated = written != null && result instanceof ApiResult.Conflict<JsonObject>;
        if (outdated) {
            nextAddition = 0;
        }
        if (known != null && written != null && PodMarks.of(known).hasLabelNotIn(written)) {
            failed(new ApiResult.Changed<>(known, "a label that was removed is still there"));
        } else if (known != null || outdated) {
            failing = false;
            update();
        } else {
            failed(result);
        }
    }

    private static ApiResult<JsonObject> metadataOf(JsonObject answer) {
        return answer.get("metadata") instanceof JsonObject metadata && metadata.has("resourceVersion")
                ? new ApiResult.Ok<>(metadata)
                : new ApiResult.OutcomeUnknown<>("the answer isn't a pod");
    }

    private void failed(ApiResult<JsonObject> result) {
        if (!failing) {
            failing = true;
            log.warn(
                    "Pod {}: can't be marked as the leader's: {}; apply the Role of cle-coordinator-app/deploy/leader-pod, which"
                            + " grants patch on pods",
                    pod.key(),
                    result.describe());
        }
        completeLeaving();
        boolean unknown = result instanceof ApiResult.OutcomeUnknown<JsonObject>;
        next = client.loop().schedule(unknown ? AGAIN : AGAIN_IF_REFUSED, this::update);
    }

    private void completeLeaving() {
        List.copyOf(leaving).forEach(left -> left.complete(null));
        leaving.clear();
    }
}
