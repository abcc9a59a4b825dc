package io.cle.rehearsal;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TlsRehearsalTest {

    @Test
    void whatIsEncryptedIsDecryptedAgain() {
        assertThat(TlsRehearsal.perform()).isTrue();
    }
}
