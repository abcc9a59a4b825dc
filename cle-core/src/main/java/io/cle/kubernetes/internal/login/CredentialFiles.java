package io.cle.kubernetes.internal.login;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Objects;

import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

import io.cle.loop.internal.Clock;
import org.jspecify.annotations.Nullable;

/**
 * Credentials and certificate authorities in files that are replaced while this process runs: the kubelet replaces tokens and authorities,
 * cert-manager or an administrator replaces client certificates. The files are read at startup, and again when they are a minute old or
 * were refused. A file that can't be read at startup is an error. If a file can't be read later, or is incomplete, the previous content
 * remains in use.
 */
public final class CredentialFiles {

    /**
     * How often files are read, as in client-go: the kubelet replaces a token, which is valid for at least 10 minutes, after 80 % of its
     * lifetime.
     */
    static final Duration AGE = Duration.ofMinutes(1);

    private CredentialFiles() {}

    /** A text that may change. */
    @FunctionalInterface
    public interface Text {

        /**
         * Reads the text.
         *
         * @throws IOException if it can't be read; the message says what and why
         */
        String read() throws IOException;

        /** Returns the trimmed text of a file. */
        static Text of(Path file) {
            return () -> {
                String text;
                try {
                    text = Files.readString(file).strip();
                } catch (IOException e) {
                    throw new IOException("the file " + file + " can't be read: " + e, e);
                }
                if (text.isEmpty()) {
                    throw new IOException("the file " + file + " is empty");
                }
                return text;
            };
        }
    }

    /**
     * Returns a credential that is read from texts.
     *
     * @param name the name of the credential, for messages
     * @param token a bearer token; {@code null} for none
     * @param certificate a client certificate as PEM; {@code null} for none
     * @param key the key of the certificate; {@code null} if there is no certificate
     * @throws IOException if one of them can't be used
     */
    public static Renewed<Credential> credential(
            String name, @Nullable Text token, @Nullable Text certificate, @Nullable Text key, Clock clock)
            throws IOException {
        return read(Renewed.inPlace(name, new CredentialSource(token, certificate, key), clock));
    }

    /**
     * Returns certificate authorities of API servers, read from PEM.
     *
     * @param name the name of the authorities, for messages
     * @throws IOException if they can't be used
     */
    public static Renewed<X509TrustManager> authorities(String name, Text authorities, Clock clock) throws IOException {
        return read(Renewed.inPlace(name, new AuthoritiesSource(authorities), clock));
    }

    private static <T> Renewed<T> read(Renewed<T> files) throws IOException {
        files.get(Duration.ZERO);
        return files;
    }

    private static <T> Renewed.Fresh<T> fresh(T value) {
        return new Renewed.Fresh<>(value, AGE, null);
    }

    private static final class CredentialSource implements Renewed.Source<Credential> {

        private final @Nullable Text token;
        private final @Nullable Text certificate;
        private final @Nullable Text key;
        private Credential last = new Credential(null, null);

        CredentialSource(@Nullable Text token, @Nullable Text certificate, @Nullable Text key) {
            this.token = token;
            this.certificate = certificate;
            this.key = key;
        }

        @Override
        public Renewed.Fresh<Credential> read() throws IOException {
            String newToken = token == null ? null : token.read();
            ClientCertificate newCertificate = certificate == null || key == null
                    ? null
                    : ClientCertificate.of(last.certificate(), certificate.read(), key.read());
            if (!Objects.equals(newToken, last.token()) || newCertificate != last.certificate()) {
                last = new Credential(newToken, newCertificate);
            }
            return fresh(last);
        }
    }

    private static final class AuthoritiesSource implements Renewed.Source<X509TrustManager> {

        private final Text authorities;
        private String lastText = "";
        private @Nullable X509TrustManager last;

        AuthoritiesSource(Text authorities) {
            this.authorities = authorities;
        }

        @Override
        public Renewed.Fresh<X509TrustManager> read() throws IOException {
            String text = authorities.read();
            X509TrustManager trust = last;
            if (trust == null || !text.equals(lastText)) {
                trust = trust(text);
                last = trust;
                lastText = text;
            }
            return fresh(trust);
        }

        private static X509TrustManager trust(String pem) throws IOException {
            try {
                KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
                store.load(null, null);
                int count = 0;
                for (Certificate authority : CertificateFactory.getInstance("X.509")
                        .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)))) {
                    store.setCertificateEntry("authority-" + count++, authority);
                }
                if (count == 0) {
                    throw new IOException("there is no certificate in it");
                }
                TrustManagerFactory factory =
                        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
                factory.init(store);
                return (X509TrustManager) factory.getTrustManagers()[0];
            } catch (GeneralSecurityException | IOException e) {
                throw new IOException("the certificate authorities can't be used: " + e.getMessage(), e);
            }
        }
    }
}
