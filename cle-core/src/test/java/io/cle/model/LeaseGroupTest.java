package io.cle.model;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class LeaseGroupTest {

    private static final LeaseGroup GROUP = new LeaseGroup("shop", "orders", 16);

    @Test
    void leasesAreNamedByTheNumberOfShardsAndTheirOwn() {
        assertThat(GROUP.lease(3)).isEqualTo(new ObjectKey("shop", "orders-16-3"));
        assertThat(GROUP.leases()).hasSize(16).endsWith(new ObjectKey("shop", "orders-16-15"));
        assertThat(GROUP.label()).isEqualTo("orders-16");
        assertThat(GROUP.pattern()).hasToString("shop/orders-16-*");
    }

    @Test
    void theShardOfALeaseIsFoundByItsName() {
        GROUP.leases()
                .forEach(lease ->
                        assertThat(GROUP.indexOf(lease)).hasValue(GROUP.leases().indexOf(lease)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "orders",
                "orders-16-16",
                "orders-16-03",
                "orders-16-x",
                "orders-8-3",
                "orders-16-",
                "orders-16-3-1"
            })
    void aLeaseOfAnotherNameIsNoShard(String name) {
        assertThat(GROUP.indexOf(new ObjectKey("shop", name))).isEmpty();
        assertThat(GROUP.indexOf(new ObjectKey("other", "orders-16-3"))).isEmpty();
    }

    @Test
    void aGroupIsFoundByItsPatternAndItsLabel() {
        assertThat(LeaseGroup.ofPattern(GROUP.pattern())).contains(GROUP);
        assertThat(LeaseGroup.ofLabel("shop", "orders-16")).contains(GROUP);
        assertThat(LeaseGroup.ofLabel("shop", "my-orders-2-16")).contains(new LeaseGroup("shop", "my-orders-2", 16));
        assertThat(LeaseGroup.ofPattern(new ObjectKey("shop", "orders-16"))).isEmpty();
        assertThat(LeaseGroup.ofLabel("shop", "orders-0")).isEmpty();
        assertThat(LeaseGroup.ofLabel("shop", "orders-1001")).isEmpty();
    }

    @Test
    void aGroupOfLeasesWithNamesOfTheirOwnIsFoundByItsPattern() {
        LeaseGroup group = LeaseGroup.named("shop", "jobs");
        assertThat(group.label()).isEqualTo("jobs");
        assertThat(group.pattern()).hasToString("shop/jobs-*");
        assertThat(LeaseGroup.ofPattern(group.pattern())).contains(group);
        assertThat(group.leases()).isEmpty();
        assertThat(group.indexOf(new ObjectKey("shop", "jobs-0"))).isEmpty();
    }

    @Test
    void aGroupOfLeasesMustNotBeNamedLikeOneOfShards() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseGroup.named("shop", "jobs-16"))
                .withMessageContaining("must not end in a number")
                .withMessageContaining("jobs-16");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1001})
    void aNumberOfShardsThatCannotBeIsRefused(int shards) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LeaseGroup("shop", "orders", shards))
                .withMessageContaining("between 1 and 1000, and is " + shards);
    }
}
