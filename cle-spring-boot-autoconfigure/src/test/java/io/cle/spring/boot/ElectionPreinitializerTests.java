package io.cle.spring.boot;

import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.preinitialize.BackgroundPreinitializer;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

class ElectionPreinitializerTests {

    @Test
    void springBootFindsItAndRunsItWhileAnApplicationStarts() {
        assertThat(SpringFactoriesLoader.forDefaultResourceLocation().load(BackgroundPreinitializer.class))
                .anySatisfy(found -> assertThat(found).isInstanceOf(ElectionPreinitializer.class));
    }

    @Test
    void theElectionIsRehearsedWithoutACluster() {
        assertThatNoException().isThrownBy(() -> new ElectionPreinitializer().preinitialize());
    }
}
