package io.cle.test.apiserver.real;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Base64;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

import org.jspecify.annotations.Nullable;

/** The tests' user at a real API server, and the certificate they trust. */
final class Credentials {

    /** The bearer token of a user with all permissions. */
    static final String TOKEN = "cle-test-admin";

    private final Path home;
    private byte @Nullable [] certificate;
    private @Nullable SSLContext ssl;

    private Credentials(Path home) {
        this.home = home;
    }

    /** Writes the files that kube-apiserver needs to start. */
    static Credentials create(Path home) {
        Credentials credentials = new Credentials(home);
        try {
            Files.writeString(credentials.tokens(), TOKEN + ",admin,admin,\"system:masters\"\n");
            KeyPairGenerator keys = KeyPairGenerator.getInstance("RSA");
            keys.initialize(2048);
            PrivateKey key = keys.generateKeyPair().getPrivate();
            Files.writeString(credentials.serviceAccountKey(), pem("PRIVATE KEY", key.getEncoded()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK cannot generate an RSA key", e);
        }
        return credentials;
    }

    Path tokens() {
        return home.resolve("tokens.csv");
    }

    Path serviceAccountKey() {
        return home.resolve("service-account.key");
    }

    /** Trusts the server's self-signed certificate; returns false while the file is incomplete. */
    synchronized boolean trust(Path file) {
        if (ssl != null) {
            return true;
        }
        try {
            byte[] pem = Files.readAllBytes(file);
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int entry = 0;
            for (Certificate trusted :
                    CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem))) {
                store.setCertificateEntry("server-" + entry++, trusted);
            }
            if (entry == 0) {
                return false;
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            certificate = pem;
            ssl = context;
            return true;
        } catch (IOException | GeneralSecurityException e) {
            // The file is still being written.
            return false;
        }
    }

    synchronized SSLContext sslContext() {
        if (ssl == null) {
            throw new IllegalStateException("the server has no certificate yet");
        }
        return ssl;
    }

    synchronized void writeKubeconfig(Path file, String url) {
        if (certificate == null) {
            throw new IllegalStateException("the server has no certificate yet");
        }
        try {
            Files.writeString(file, """
                    apiVersion: v1
                    kind: Config
                    clusters:
                    - name: test
                      cluster:
                        server: %s
                        certificate-authority-data: %s
                    users:
                    - name: admin
                      user:
                        token: %s
                    contexts:
                    - name: test
                      context:
                        cluster: test
                        user: admin
                        namespace: default
                    current-context: test
                    """.formatted(url, Base64.getEncoder().encodeToString(certificate), TOKEN));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String pem(String type, byte[] content) {
        return "-----BEGIN " + type + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content)
                + "\n-----END " + type + "-----\n";
    }
}
