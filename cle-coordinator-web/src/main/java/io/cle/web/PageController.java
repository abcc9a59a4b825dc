package io.cle.web;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.cle.model.ObjectKey;
import io.cle.web.CoordinatorPageAutoConfiguration.PageProperties;
import io.cle.web.view.CoordinatorSnapshot;
import io.cle.web.view.DisplayFormat;
import io.cle.web.view.DisplayFormat.Times;
import io.cle.web.view.LeasePage;
import io.cle.web.view.LeaseRow;
import io.cle.web.view.Overview;
import io.cle.web.view.OverviewQuery;
import io.cle.web.view.TimeLine.Span;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Serves an overview, one page per lease, and for each of them a stream of change notifications. Answers GET only. */
@Controller
final class PageController {

    /** The maximum age of the snapshot of all leases that open pages share, so that many pages cost the coordinator no more than one. */
    private static final long SHARED_NANOS = Duration.ofMillis(200).toNanos();

    private final CoordinatorSnapshots snapshots;
    private final LiveUpdates updates;
    private @Nullable Shared shared;

    private record Shared(CoordinatorSnapshot snapshot, List<LeaseRow> rows, long nanos) {}

    PageController(CoordinatorSnapshots snapshots, LiveUpdates updates, PageProperties properties) {
        if (!properties.enabled()) {
            throw new IllegalStateException(
                    "cle.coordinator.page.enabled is false, but this jar was processed ahead of time with"
                            + " the page, and would serve it; run it without spring.aot.enabled=true");
        }
        this.snapshots = snapshots;
        this.updates = updates;
    }

    @ModelAttribute("query")
    OverviewQuery query(@RequestParam Map<String, String> parameters) {
        return OverviewQuery.of(parameters);
    }

    @GetMapping(path = "/", produces = MediaType.TEXT_HTML_VALUE)
    String overview(@ModelAttribute(name = "query", binding = false) OverviewQuery query, Model model) {
        Overview overview = overviewOf(query);
        model.addAttribute("overview", overview);
        model.addAttribute("query", overview.query());
        model.addAttribute("states", List.of(LeaseRow.State.values()));
        model.addAttribute("columns", List.of(OverviewQuery.Sort.values()));
        model.addAttribute("replica", overview.replica());
        model.addAttribute("times", new Times(Instant.now()));
        model.addAttribute("live", "live" + overview.query().url());
        return "cle/overview";
    }

    @GetMapping(path = "/live", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    ResponseEntity<SseEmitter> overviewChanges(@ModelAttribute(name = "query", binding = false) OverviewQuery query) {
        return stream(updates.open(() -> overviewOf(query)));
    }

    private Overview overviewOf(OverviewQuery query) {
        Shared all = all();
        return Overview.of(all.snapshot(), all.rows(), query);
    }

    private synchronized Shared all() {
        Shared known = shared;
        if (known == null || System.nanoTime() - known.nanos() > SHARED_NANOS) {
            CoordinatorSnapshot snapshot = snapshots.all();
            known = new Shared(snapshot, LeaseRow.allOf(snapshot), System.nanoTime());
            shared = known;
        }
        return known;
    }

    @GetMapping(path = "/leases/{namespace}/{name}", produces = MediaType.TEXT_HTML_VALUE)
    ModelAndView lease(
            @PathVariable("namespace") String leaseNamespace,
            @PathVariable("name") String leaseName,
            @RequestParam(required = false) @Nullable String span) {
        ObjectKey key = new ObjectKey(leaseNamespace, leaseName);
        CoordinatorSnapshot snapshot = snapshots.one(key);
        ModelAndView view = new ModelAndView();
        view.addObject("times", new Times(snapshot.time()));
        if (snapshot.leases().isEmpty()) {
            view.setViewName("cle/unknown");
            view.addObject("lease", key);
            view.setStatus(HttpStatus.NOT_FOUND);
            return view;
        }
        LeasePage page = LeasePage.of(snapshot, snapshot.leases().get(0), Span.of(span));
        view.setViewName("cle/lease");
        view.addObject("page", page);
        view.addObject("spans", Span.OFFERED);
        view.addObject("replica", page.replica());
        return view;
    }

    @GetMapping(path = "/leases/{namespace}/{name}/live", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    ResponseEntity<SseEmitter> leaseChanges(
            @PathVariable("namespace") String leaseNamespace, @PathVariable("name") String leaseName) {
        ObjectKey key = new ObjectKey(leaseNamespace, leaseName);
        return stream(updates.open(() -> {
            CoordinatorSnapshot snapshot = snapshots.one(key);
            // Everything except the time; the row also changes when something is overdue.
            return List.of(snapshot.replica(), snapshot.leases(), LeaseRow.allOf(snapshot));
        }));
    }

    private static ResponseEntity<SseEmitter> stream(@Nullable SseEmitter emitter) {
        return emitter == null
                ? ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE).build()
                : ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(emitter);
    }

    @ExceptionHandler(CoordinatorSnapshots.SilentException.class)
    ModelAndView silent(CoordinatorSnapshots.SilentException failure) {
        return notice(
                HttpStatus.SERVICE_UNAVAILABLE,
                "The coordinator doesn't answer",
                Objects.requireNonNullElse(failure.getMessage(), ""),
                "Leaders that lead go on leading. Reload this page; if it stays like this, the pod's liveness probe restarts the"
                        + " coordinator.");
    }

    /**
     * Returns the error page of a request that has failed, or whose path doesn't exist.
     *
     * @param path the requested path
     */
    static ModelAndView failed(HttpStatus status, String path) {
        String asked = "'" + DisplayFormat.text(path) + "'";
        if (status == HttpStatus.NOT_FOUND) {
            return notice(
                    status,
                    "There is no such page",
                    "Nothing is at " + asked + ".",
                    "All leases are at '/', those of a namespace at '/?namespace=<namespace>', and one lease is at"
                            + " '/leases/<namespace>/<name>'.");
        }
        return notice(
                status,
                status.value() + " " + status.getReasonPhrase(),
                "The request for " + asked + " has failed.",
                status == HttpStatus.METHOD_NOT_ALLOWED
                        ? "The page answers GET only, and changes nothing."
                        : "The coordinator's log may say why. Elections don't depend on its page.");
    }

    private static ModelAndView notice(HttpStatus status, String title, String... texts) {
        return new ModelAndView("cle/notice", Map.of("title", title, "texts", List.of(texts)), status);
    }
}
