package io.cle.kubernetes.internal.login;

import java.io.IOException;
import java.io.InputStream;

import javax.net.ssl.KeyManager;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ClientCertificateTest {

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = ClientCertificateTest.class.getResourceAsStream(name)) {
            return in.readAllBytes();
        }
    }

    private static KeyManager[] read(String certificate, String key) throws IOException {
        return ClientCertificate.keyManagers(resource(certificate), resource(key));
    }

    @ParameterizedTest
    @CsvSource({
        "rsa.crt, pkcs1.key",
        "rsa.crt, pkcs8-rsa.key",
        "ec.crt, sec1.key",
        "ec.crt, pkcs8-ec.key",
        "ed25519.crt, pkcs8-ed25519.key"
    })
    void isOneWithItsKey(String certificate, String key) throws IOException {
        assertThat(read(certificate, key)).hasSize(1);
    }

    @Test
    void isRefusedWithoutACertificate() {
        assertThatThrownBy(() -> ClientCertificate.keyManagers(new byte[0], resource("sec1.key")))
                .hasMessageContaining("no certificate");
    }
}
