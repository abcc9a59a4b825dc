package io.cle.coordinator;

import io.cle.coordinator.settings.CoordinatorSettings;
import io.cle.kubernetes.internal.discovery.FormatSelection;
import io.cle.runtime.CoordinatedLeaseLock;
import io.cle.runtime.internal.coordinator.CoordinatorLoop;
import io.cle.web.CoordinatorSnapshots;
import io.cle.web.LoopSnapshots;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the page shows; {@code cle.coordinator.page.enabled} decides whether there is one. */
@Configuration(proxyBeanMethods = false)
class PageConfiguration {

    @Bean
    CoordinatorSnapshots coordinatorSnapshots(
            CoordinatorLoop coordinator,
            CoordinatorSettings settings,
            CoordinatedLeaseLock replicaLock,
            FormatSelection formats) {
        return new LoopSnapshots(coordinator, settings.election().policy(), replicaLock::leader, formats::known);
    }
}
