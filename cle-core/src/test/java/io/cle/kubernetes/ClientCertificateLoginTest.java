package io.cle.kubernetes;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Base64;

import javax.net.ssl.X509KeyManager;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ClientCertificateLoginTest {

    /** The keys and certificates were made for these tests by openssl. */
    private static String resource(String name) throws IOException {
        try (InputStream in = ClientCertificateLoginTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @Nested
    class Keys {

        @ParameterizedTest
        @CsvSource({
            "pkcs1.key, rsa.crt, SHA256withRSA",
            "pkcs8-rsa.key, rsa.crt, SHA256withRSA",
            "sec1.key, ec.crt, SHA256withECDSA",
            "pkcs8-ec.key, ec.crt, SHA256withECDSA",
            "pkcs8-ed25519.key, ed25519.crt, Ed25519",
        })
        void signAsTheirCertificateSays(String key, String certificate, String algorithm)
                throws IOException, GeneralSecurityException {
            PrivateKey read = PemPrivateKey.read(resource(key));

            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(read);
            signature.update((byte) 42);
            byte[] signed = signature.sign();
            Certificate issued = CertificateFactory.getInstance("X.509")
                    .generateCertificate(ClientCertificateLoginTest.class.getResourceAsStream(certificate));
            signature.initVerify(issued);
            signature.update((byte) 42);
            assertThat(signature.verify(signed)).isTrue();
        }

        @Test
        void areRefusedIfEncrypted() throws IOException {
            String encrypted = resource("pkcs8-ec.key").replace("PRIVATE KEY", "ENCRYPTED PRIVATE KEY");

            assertThatThrownBy(() -> PemPrivateKey.read(encrypted)).hasMessageContaining("ENCRYPTED PRIVATE KEY");
        }

        @Test
        void areRefusedIfDamaged() throws IOException {
            String sec1 = resource("sec1.key");
            String damaged = sec1.replaceAll("(?s)(BEGIN EC PRIVATE KEY-----\n).{40}", "$1MHcC");

            assertThatThrownBy(() -> PemPrivateKey.read(damaged)).isInstanceOf(GeneralSecurityException.class);
        }
    }

    @Nested
    class Kubeconfigs {

        @TempDir
        private Path directory;

        private KubernetesAccess access(String user) throws IOException {
            return KubernetesAccess.of(Files.writeString(directory.resolve("config"), """
                    apiVersion: v1
                    kind: Config
                    current-context: here
                    clusters: [{name: c, cluster: {server: "https://127.0.0.1:1234"}}]
                    users: [{name: u, user: {%s}}]
                    contexts: [{name: here, context: {cluster: c, user: u}}]
                    """.formatted(user)));
        }

        private static String base64(String resource) throws IOException {
            return Base64.getEncoder().encodeToString(resource(resource).getBytes(StandardCharsets.US_ASCII));
        }

        private static void assertThatTheCertificateIsShown(KubernetesAccess access) {
            X509KeyManager keys = (X509KeyManager) access.apiClient().getKeyManagers()[0];
            assertThat(keys.getClientAliases("RSA", null)).hasSize(1);
        }

        @Test
        void mayHaveTheCertificateInThemselves() throws IOException {
            assertThatTheCertificateIsShown(access(
                    "client-certificate-data: " + base64("rsa.crt") + ", client-key-data: " + base64("pkcs1.key")));
        }

        @Test
        void mayNameItsFiles() throws IOException {
            Files.writeString(directory.resolve("c.crt"), resource("rsa.crt"));
            Files.writeString(directory.resolve("c.key"), resource("pkcs8-rsa.key"));

            assertThatTheCertificateIsShown(access("client-certificate: c.crt, client-key: c.key"));
        }

        @Test
        void mayNameAProgramThatPrintsIt() throws IOException {
            String status = """
                    {"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential", "status": \
                    {"clientCertificateData": "%s", "clientKeyData": "%s"}}""".formatted(
                            resource("rsa.crt").replace("\n", "\\n"),
                            resource("pkcs1.key").replace("\n", "\\n"));
            Path printed = Files.writeString(directory.resolve("credential.json"), status);

            assertThatTheCertificateIsShown(access(
                    "exec: {apiVersion: client.authentication.k8s.io/v1, command: cat, args: [\"" + printed + "\"]}"));
        }

        @Test
        void areRefusedWithTheReasonIfTheKeyCannotBeRead() {
            assertThatThrownBy(() ->
                            access("client-certificate-data: " + base64("rsa.crt") + ", client-key-data: bm90aGluZw=="))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessageContaining("no PEM block that is a private key");
        }
    }
}
