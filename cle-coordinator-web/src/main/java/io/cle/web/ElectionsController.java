package io.cle.web;

import java.time.Duration;
import java.util.Map;

import io.cle.model.ObjectKey;
import io.cle.web.view.CoordinatorSnapshot;
import io.cle.web.view.ElectionJson;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * {@code /actuator/elections}: every lease with its candidates in rank order and the last decision's reason (protocol.md#events). Not an
 * actuator endpoint, because those move to the management port, which every pod of the cluster may reach. Answers GET only. Thread-safe.
 */
@RestController
@RequestMapping("/actuator/elections")
final class ElectionsController {

    /** The maximum age of the snapshot of all leases that open pages share, so that many pages cost the coordinator no more than one. */
    private static final long SHARED_NANOS = Duration.ofMillis(200).toNanos();

    private final CoordinatorSnapshots snapshots;
    private final LiveUpdates updates;
    private @Nullable CoordinatorSnapshot shared;
    private long sharedAt;

    ElectionsController(CoordinatorSnapshots snapshots, LiveUpdates updates) {
        this.snapshots = snapshots;
        this.updates = updates;
    }

    /**
     * Returns all elections.
     *
     * @param summary whether to omit each lease's candidates, history and decisions
     */
    @GetMapping
    Map<String, Object> all(@RequestParam(defaultValue = "false") boolean summary) {
        return ElectionJson.of(snapshots.all(), summary);
    }

    /** Returns one election. */
    @GetMapping("/{namespace}/{name}")
    Map<String, Object> one(@PathVariable("namespace") String namespace, @PathVariable("name") String name) {
        CoordinatorSnapshot snapshot = snapshots.one(new ObjectKey(namespace, name));
        return snapshot.leases().stream()
                .findFirst()
                .map(view -> ElectionJson.of(snapshot, view))
                .orElseThrow(() -> new ResponseStatusException(
                        HttpStatus.NOT_FOUND, "This coordinator knows no lease " + namespace + "/" + name));
    }

    /** Streams an event whenever a summary of all elections has changed. */
    @GetMapping(path = "/changes", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    ResponseEntity<SseEmitter> changes() {
        return stream(updates.open(() -> ElectionJson.changes(shared(), true)));
    }

    /** Streams an event whenever one election has changed. */
    @GetMapping(path = "/{namespace}/{name}/changes", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    ResponseEntity<SseEmitter> changes(@PathVariable("namespace") String namespace, @PathVariable("name") String name) {
        ObjectKey key = new ObjectKey(namespace, name);
        return stream(updates.open(() -> ElectionJson.changes(snapshots.one(key), false)));
    }

    private synchronized CoordinatorSnapshot shared() {
        CoordinatorSnapshot known = shared;
        if (known == null || System.nanoTime() - sharedAt > SHARED_NANOS) {
            known = snapshots.all();
            shared = known;
            sharedAt = System.nanoTime();
        }
        return known;
    }

    private static ResponseEntity<SseEmitter> stream(@Nullable SseEmitter emitter) {
        return emitter == null
                ? ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE).build()
                : ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(emitter);
    }

    @ExceptionHandler(CoordinatorSnapshots.SilentException.class)
    ProblemDetail silent(CoordinatorSnapshots.SilentException failure) {
        return ProblemDetail.forStatusAndDetail(
                HttpStatus.SERVICE_UNAVAILABLE, "The coordinator doesn't answer: " + failure.getMessage());
    }
}
