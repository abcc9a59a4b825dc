package io.cle.web;

import java.util.List;
import java.util.Map;

import io.cle.web.view.DisplayFormat;
import org.springframework.http.HttpStatus;
import org.springframework.web.servlet.ModelAndView;

/** What is answered to a browser instead of a page, in the page's own style. */
final class Notices {

    private Notices() {}

    /** The coordinator doesn't answer. */
    static ModelAndView silent(String problem) {
        return notice(
                HttpStatus.SERVICE_UNAVAILABLE,
                "The coordinator doesn't answer",
                problem,
                "Leaders that lead go on leading. Reload this page; if it stays like this, the pod's liveness probe restarts the"
                        + " coordinator.");
    }

    /**
     * A request has failed, or there is nothing at its address.
     *
     * @param path the path that was asked for
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
