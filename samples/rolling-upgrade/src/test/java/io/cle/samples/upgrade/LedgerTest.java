package io.cle.samples.upgrade;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LedgerTest {

    private final Ledger ledger = new Ledger();

    @Test
    void refusesAWriteUnderATokenThatIsOver() {
        ledger.write(10);
        ledger.write(11);

        boolean accepted = ledger.write(10);

        assertThat(accepted).isFalse();
        assertThat(ledger.refused()).isEqualTo(1);
        assertThat(ledger.writes()).isEqualTo(2);
    }
}
