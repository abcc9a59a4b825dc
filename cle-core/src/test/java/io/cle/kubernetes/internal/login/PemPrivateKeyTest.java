package io.cle.kubernetes.internal.login;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class PemPrivateKeyTest {

    /** Reads a key or certificate made for these tests by openssl. */
    private static String resource(String name) throws IOException {
        try (InputStream in = PemPrivateKeyTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "pkcs1.key, rsa.crt, SHA256withRSA",
        "pkcs8-rsa.key, rsa.crt, SHA256withRSA",
        "sec1.key, ec.crt, SHA256withECDSA",
        "pkcs8-ec.key, ec.crt, SHA256withECDSA",
        "pkcs8-ed25519.key, ed25519.crt, Ed25519",
    })
    void signsAsItsCertificateSays(String key, String certificate, String algorithm)
            throws IOException, GeneralSecurityException {
        PrivateKey read = PemPrivateKey.read(resource(key));

        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(read);
        signature.update((byte) 42);
        byte[] signed = signature.sign();
        Certificate issued = CertificateFactory.getInstance("X.509")
                .generateCertificate(PemPrivateKeyTest.class.getResourceAsStream(certificate));
        signature.initVerify(issued);
        signature.update((byte) 42);
        assertThat(signature.verify(signed)).isTrue();
    }

    @Test
    void isRefusedIfEncrypted() throws IOException {
        String encrypted = resource("pkcs8-ec.key").replace("PRIVATE KEY", "ENCRYPTED PRIVATE KEY");

        assertThatThrownBy(() -> PemPrivateKey.read(encrypted)).hasMessageContaining("ENCRYPTED PRIVATE KEY");
    }

    @Test
    void isRefusedIfDamaged() throws IOException {
        String sec1 = resource("sec1.key");
        String damaged = sec1.replaceAll("(?s)(BEGIN EC PRIVATE KEY-----\n).{40}", "$1MHcC");

        assertThatThrownBy(() -> PemPrivateKey.read(damaged)).isInstanceOf(GeneralSecurityException.class);
    }
}
