package io.cle.samples.recipes;

import io.cle.Term;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

class UnfencedWritesTests {

    @Test
    void onlyTransactionsOnThreadsWithoutTheTerm_areFound() throws InterruptedException {
        try (ConfigurableApplicationContext context = Standalone.run(UnfencedWrites.class)) {
            UnfencedWrites unfenced = context.getBean(UnfencedWrites.class);
            TransactionTemplate transactions =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            transactions.setName("invoices");
            Term outer = Term.enter(Standalone.lock(context).term().orElseThrow());
            try {
                transactions.executeWithoutResult(status -> {});
                unfenced.assertNone();

                Thread thread =
                        new Thread(() -> transactions.executeWithoutResult(status -> {}), "started by led work");
                thread.start();
                thread.join();
            } finally {
                Term.enter(outer);
            }
            assertThatThrownBy(unfenced::assertNone)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("invoices on thread started by led work");
        }
    }
}
