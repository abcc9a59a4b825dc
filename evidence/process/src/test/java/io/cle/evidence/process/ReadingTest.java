package io.cle.evidence.process;

import java.util.Map;
import java.util.OptionalInt;

import io.cle.test.apiserver.memory.RequestCounts;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ReadingTest {

    @Test
    void readsWhatContendersPrintAndPassesOverTheRest() {
        assertThat(Event.parse("1767225600000000001 granted")).contains(new Event(1767225600000000001L, "granted"));
        assertThat(Event.parse("1767225600000000001 revoked 3/16"))
                .contains(new Event(1767225600000000001L, "revoked", OptionalInt.of(3)));
        assertThat(Event.parse("1767225600000000001 granted it")).isEmpty();
        assertThat(Event.parse("Started in 2 s")).isEmpty();
    }

    @Test
    void countsTheRequestsAboutLeaderElection() {
        RequestCounts before = ApiServerMetrics.requests("""
                # HELP apiserver_request_total Counter
                apiserver_request_total{code="200",group="coordination.k8s.io",resource="leases",verb="PATCH"} 10
                """);
        RequestCounts after = ApiServerMetrics.requests("""
                apiserver_request_total{code="200",group="coordination.k8s.io",resource="leases",verb="PATCH"} 30
                apiserver_request_total{code="409",group="coordination.k8s.io",resource="leases",verb="PATCH"} 1
                apiserver_request_total{code="200",group="coordination.cle.io",resource="leasecandidates",verb="watch"} 2
                apiserver_request_total{code="200",group="",resource="nodes",verb="LIST"} 1.5e+03
                """);

        RequestCounts more = after.since(before);

        assertThat(more.byVerbAndResource()).isEqualTo(Map.of("PATCH leases", 21L, "WATCH leasecandidates", 2L));
        assertThat(more.total()).isEqualTo(23);
    }
}
