package io.cle.spring.onleader;

import io.cle.spring.lock.LeaseLocks;
import org.junit.jupiter.api.Test;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code @OnLeader} in a context whose parent has the locks; both are auto-configured. */
class OnLeaderHierarchyTests {

    @Test
    void workInAChildContextFailsItsStart() {
        assertThatChildIsRefused(Worker.class, "Worker.work");
    }

    @Test
    void guardsInAChildContextFailItsStart() {
        assertThatChildIsRefused(Guarded.class, "Guarded.handle");
    }

    private static void assertThatChildIsRefused(Class<?> worker, String place) {
        LedApplication.runner()
                .run(parent -> LedApplication.runner()
                        .withParent(parent)
                        .withBean("worker", worker)
                        .run(child -> LedApplication.assertThatStartIsRefused(
                                child, place, "is the child of the one that has the locks", "the parent context")));
    }

    @Test
    void childContextsWithoutLedWorkHaveTheLocksOfTheParent() {
        LedApplication.runner()
                .run(parent -> LedApplication.runner()
                        .withParent(parent)
                        .run(child -> assertThat(child.getBean(LeaseLocks.class))
                                .isSameAs(parent.getBean(LeaseLocks.class))));
    }

    static class Worker {

        @OnLeader
        void work() {}
    }

    static class Guarded {

        @OnLeader
        @EventListener
        public void handle(String order) {}
    }
}
