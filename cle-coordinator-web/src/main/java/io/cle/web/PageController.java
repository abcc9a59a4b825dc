package io.cle.web;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

import io.cle.web.CoordinatorPageAutoConfiguration.PageProperties;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.util.HtmlUtils;

/** Serves the page, whose script reads {@code /actuator/elections}. The same file is the overview and the page of each lease. */
@RestController
final class PageController {

    private final boolean enabled;
    private final String html;

    PageController(PageProperties properties) throws IOException {
        enabled = properties.enabled();
        html = new ClassPathResource("cle/index.html").getContentAsString(StandardCharsets.UTF_8);
    }

    @GetMapping(
            path = {"/", "/leases/{namespace}/{name}"},
            produces = MediaType.TEXT_HTML_VALUE)
    String page(HttpServletRequest request) {
        if (!enabled) {
            throw new ResponseStatusException(HttpStatus.NOT_FOUND, "cle.coordinator.page.enabled is false");
        }
        return html.replace("{base}", HtmlUtils.htmlEscape(request.getContextPath()));
    }
}
