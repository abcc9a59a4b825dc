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

import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

import io.cle.loop.internal.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The content of a file that the kubelet replaces while this process runs: a pod's token or certificate authorities. The file is read at
 * startup, and again every minute. A file that can't be read at startup is an error. If it can't be read later, or is incomplete, the
 * previous content remains in use until the next minute. The age is measured by the monotonic clock. Thread-safe.
 *
 * @param <T> the type of the content; the same object as long as the text is unchanged
 */
public final class RenewedFile<T> {

    /**
     * How often the file is read, as in client-go: the kubelet replaces a token, which is valid for at least 10 minutes, after 80 % of its
     * lifetime.
     */
    static final Duration AGE = Duration.ofMinutes(1);

    private static final Logger log = LoggerFactory.getLogger(RenewedFile.class);

    private final Path file;
    private final Parser<T> parser;
    private final Clock clock;
    private String text;
    private T content;

    /** When to read again, in monotonic nanoseconds. */
    private long renewAt;

    private boolean failing;

    /** Reads a text. */
    interface Parser<T> {
        T parse(String text) throws IOException;
    }

    private RenewedFile(Path file, Parser<T> parser, Clock clock) throws IOException {
        this.file = file;
        this.parser = parser;
        this.clock = clock;
        text = read();
        content = parser.parse(text);
        renewAt = clock.nanos() + AGE.toNanos();
    }

    /**
     * Returns the token in a file.
     *
     * @throws IOException if it can't be read; the message names the file
     */
    public static RenewedFile<String> token(Path file, Clock clock) throws IOException {
        return new RenewedFile<>(file, text -> text, clock);
    }

    /**
     * Returns the certificate authorities in a file, as PEM.
     *
     * @throws IOException if they can't be read; the message names the file
     */
    public static RenewedFile<X509TrustManager> authorities(Path file, Clock clock) throws IOException {
        return new RenewedFile<>(file, text -> trust(file, text), clock);
    }

    /** Returns the content, and reads the file first if it is due. */
    synchronized T get() {
        if (clock.nanos() - renewAt >= 0) {
            renew();
        }
        return content;
    }

    private void renew() {
        renewAt = clock.nanos() + AGE.toNanos();
        try {
            String current = read();
            if (!current.equals(text)) {
                content = parser.parse(current);
                text = current;
            }
            failing = false;
        } catch (IOException e) {
            if (!failing) {
                log.warn("{}; keeping its previous content and retrying", e.getMessage());
            }
            failing = true;
        }
    }

    private String read() throws IOException {
        String found;
        try {
            found = Files.readString(file).strip();
        } catch (IOException e) {
            throw new IOException("the file " + file + " can't be read: " + e, e);
        }
        if (found.isEmpty()) {
            throw new IOException("the file " + file + " is empty");
        }
        return found;
    }

    private static X509TrustManager trust(Path file, String pem) throws IOException {
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
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return (X509TrustManager) factory.getTrustManagers()[0];
        } catch (GeneralSecurityException | IOException e) {
            throw new IOException("the certificate authorities in " + file + " can't be used: " + e.getMessage(), e);
        }
    }
}
