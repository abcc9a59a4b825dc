package io.cle.web;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;

import io.cle.model.ObjectKey;
import io.cle.web.view.CoordinatorSnapshot;
import io.cle.web.view.ElectionJson;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.util.HtmlUtils;

/**
 * Serves the page, whose script reads {@code /actuator/elections}: every lease with its candidates in rank order and the last decision's
 * reason (protocol.md#events). Not an actuator endpoint, because those move to the management port, which every pod of the cluster may reach.
 * Answers GET only. Thread-safe.
 */
@RestController
final class ElectionsController {

    private static final String ELECTIONS = "/actuator/elections";

    private final CoordinatorSnapshots snapshots;
    private final LiveUpdates updates;
    private final String html;

    ElectionsController(CoordinatorSnapshots snapshots, LiveUpdates updates) throws IOException {
        this.snapshots = snapshots;
        this.updates = updates;
        this.html = new ClassPathResource("cle/index.html").getContentAsString(StandardCharsets.UTF_8);
    }

    /** Returns the page. The same file is the overview and the page of each lease. */
    @GetMapping(
            path = {"/", "/leases/{namespace}/{name}"},
            produces = MediaType.TEXT_HTML_VALUE)
    String page(HttpServletRequest request) {
        return html.replace("{base}", HtmlUtils.htmlEscape(request.getContextPath()));
    }

    /**
     * Returns all elections.
     *
     * @param summary whether to omit each lease's candidates, history and decisions
     */
    @GetMapping(ELECTIONS)
    Map<String, Object> all(@RequestParam(defaultValue = "false") boolean summary) {
        return ElectionJson.of(snapshots.all(), summary);
    }

    /** Returns one election. */
    @GetMapping(ELECTIONS + "/{namespace}/{name}")
    Map<String, Object> one(@PathVariable("namespace") String namespace, @PathVariable("name") String name) {
        CoordinatorSnapshot snapshot = snapshots.one(new ObjectKey(namespace, name));
        return snapshot.leases().stream()
                .findFirst()
                .map(view -> ElectionJson.of(snapshot, view))
                .orElseThrow(() -> new ResponseStatusException(
                        HttpStatus.NOT_FOUND, "This coordinator knows no lease " + namespace + "/" + name));
    }

    /** Streams an event whenever a summary of all elections, or one election, has changed. */
    @GetMapping(
            path = {ELECTIONS + "/changes", ELECTIONS + "/{namespace}/{name}/changes"},
            produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    ResponseEntity<SseEmitter> changes(
            @PathVariable("namespace") Optional<String> namespace, @PathVariable("name") Optional<String> name) {
        SseEmitter emitter = updates.open(namespace.flatMap(of -> name.map(lease -> new ObjectKey(of, lease))));
        return emitter == null
                ? ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE).build()
                : ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(emitter);
    }

    @ExceptionHandler(CompletionException.class)
    ProblemDetail silent() {
        return ProblemDetail.forStatusAndDetail(
                HttpStatus.SERVICE_UNAVAILABLE,
                "The coordinator doesn't answer: its event loop has not answered within "
                        + CoordinatorSnapshots.PATIENCE + " s");
    }
}
