package io.cle.kubernetes.internal.codec;

import java.time.Instant;

import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.transport.FakeTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class KubernetesEventsTest {

    private static JsonObject event(String name, String message) {
        Lease lease = Lease.builder(new ObjectKey("shop", name))
                .resourceVersion("7")
                .uid("9e1c")
                .build();
        return KubernetesEvents.of(
                ResourceType.LEASES,
                lease,
                false,
                "Elected",
                message,
                "coordinator",
                Instant.parse("2026-01-01T00:00:00.9Z"),
                "abc");
    }

    @Test
    void anEventIsAboutItsLease() {
        assertThat(event("orders", "orders-a is the oldest")).isEqualTo(FakeTransport.json("""
                {'apiVersion': 'v1', 'kind': 'Event', 'metadata': {'name': 'orders.abc', 'namespace': 'shop'},
                 'involvedObject': {'apiVersion': 'coordination.k8s.io/v1', 'kind': 'Lease', 'namespace': 'shop',
                   'name': 'orders', 'uid': '9e1c', 'resourceVersion': '7'},
                 'source': {'component': 'coordinator'}, 'reportingComponent': 'coordinator', 'type': 'Normal',
                 'reason': 'Elected', 'message': 'orders-a is the oldest',
                 'firstTimestamp': '2026-01-01T00:00:00Z', 'lastTimestamp': '2026-01-01T00:00:00Z', 'count': 1}
                """));
    }

    @Test
    void aNameThatIsTooLongIsShortened() {
        assertThat(event("o".repeat(253), "")
                        .getAsJsonObject("metadata")
                        .get("name")
                        .getAsString())
                .hasSize(253)
                .endsWith("o.abc");
    }

    @Test
    void aMessageThatIsTooLongIsShortened() {
        assertThat(event("orders", "x".repeat(1025)).get("message").getAsString())
                .isEqualTo("x".repeat(1023) + "…");
        assertThat(event("orders", "x".repeat(1024)).get("message").getAsString())
                .hasSize(1024);
    }
}
