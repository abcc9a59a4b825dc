package io.cle.web;

import java.io.IOException;
import java.util.stream.Stream;

import jakarta.servlet.ServletException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/** DNS rebinding: another site's page makes its own name resolve to the address of a port-forward. */
class PageFilterTest {

    private final PageFilter filter = new PageFilter(Stream.concat(
            new PageFilter.OfService("cle-coordinator", "cle-system").names(), Stream.of("Elections.example.com")));

    private static MockHttpServletRequest request(String host) {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/actuator/elections");
        request.setLocalAddr("10.0.0.7");
        request.setLocalPort(8080);
        if (host != null) {
            request.addHeader("Host", host);
        }
        return request;
    }

    private MockHttpServletResponse answer(MockHttpServletRequest request) {
        MockHttpServletResponse response = new MockHttpServletResponse();
        try {
            filter.doFilter(request, response, new MockFilterChain());
        } catch (IOException | ServletException e) {
            throw new AssertionError(e);
        }
        return response;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "LOCALHOST:8080",
                "localhost.",
                "127.0.0.1:8080",
                "[::1]:8080",
                "coordinator.localhost",
                "cle-coordinator:8080",
                "cle-coordinator.cle-system.svc",
                "cle-coordinator.cle-system.svc.cluster.local:80",
                "elections.example.com",
                "10.0.0.7:8080"
            })
    void itsOwnNamesAreAnswered(String host) {
        assertThat(answer(request(host)).getStatus()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "localhost.evil.example",
                "127.0.0.1.evil.example",
                "evil.example:8080",
                "cle-coordinator.cle-system.svc.evil.example",
                "elections.example.com.evil.example",
                "evillocalhost",
                "10.0.0.8",
                "",
                "127.0.0.1:8080:80"
            })
    void othersAreNotAndSaysWhatToDo(String host) throws IOException {
        MockHttpServletResponse response = answer(request(host));

        assertThat(response.getStatus()).isEqualTo(421);
        assertThat(response.getContentAsString()).contains("'" + host + "'", "cle.coordinator.page.hosts");
        assertThat(response.getContentType()).startsWith("text/plain");
    }

    @Test
    void aRequestWithoutAHostIsNotAnswered() {
        assertThat(answer(request(null)).getStatus()).isEqualTo(421);
    }

    /** Headers that a page can set itself. */
    @Test
    void aForwardedHostCountsForNothing() {
        MockHttpServletRequest request = request("evil.example");
        request.addHeader("X-Forwarded-Host", "localhost");
        request.addHeader("Forwarded", "host=localhost");

        assertThat(answer(request).getStatus()).isEqualTo(421);
    }
}
