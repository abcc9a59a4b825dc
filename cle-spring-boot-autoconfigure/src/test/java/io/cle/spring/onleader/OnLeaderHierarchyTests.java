package io.cle.spring.onleader;

import java.util.function.Consumer;

import io.cle.spring.lock.LeaseLocks;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** {@code @OnLeader} in a context whose parent has the locks. */
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

    /** Spring Cloud's named contexts are such children, and so are those that an application creates itself. */
    @Test
    void workInAChildThatIsNotAutoConfiguredFailsItsStart() {
        withChild(child -> {
            child.registerBean("worker", Guarded.class);

            assertThatExceptionOfType(OnLeaderUsageException.class)
                    .isThrownBy(child::refresh)
                    .withMessageContaining("Guarded.handle")
                    .withMessageContaining("is the child of the one that has the locks");
            assertThat(child.isActive()).isFalse();
        });
    }

    @Test
    void aChildThatIsNotAutoConfiguredStartsWithoutLedWork() {
        withChild(child -> {
            child.registerBean("text", String.class, () -> "text");

            child.refresh();

            assertThat(child.isActive()).isTrue();
        });
    }

    private static void withChild(Consumer<AnnotationConfigApplicationContext> test) {
        LedApplication.runner().run(parent -> {
            try (AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
                child.setParent(parent.getSourceApplicationContext());
                test.accept(child);
            }
        });
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
