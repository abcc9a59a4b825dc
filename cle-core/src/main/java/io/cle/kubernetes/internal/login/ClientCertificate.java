package io.cle.kubernetes.internal.login;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;

import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;

import org.jspecify.annotations.Nullable;

/**
 * A client certificate and its key. client-java's own class needs Bouncy Castle, 11 MB in every application; the JDK can do the same except
 * for unpacking the key file. Immutable.
 */
public final class ClientCertificate {

    private static final char[] NO_PASSWORD = {};

    /** Arbitrary data to sign; the JDK's Ed25519 can't verify its own signature of empty data. */
    private static final byte[] SIGNED = {42};

    private final String certificates;
    private final String key;
    private final X509Certificate leaf;
    private final KeyManager[] keyManagers;

    private ClientCertificate(String certificates, String key) throws GeneralSecurityException, IOException {
        this.certificates = certificates;
        this.key = key;
        X509Certificate[] chain = CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(certificates.getBytes(StandardCharsets.US_ASCII)))
                .toArray(X509Certificate[]::new);
        if (chain.length == 0) {
            throw new IOException("there is no certificate in it");
        }
        leaf = chain[0];
        PrivateKey privateKey = PemPrivateKey.read(key);
        if (!belongTogether(privateKey, leaf.getPublicKey())) {
            throw new InvalidKeyException("the key belongs to another certificate");
        }
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        store.setKeyEntry("client", privateKey, NO_PASSWORD, chain);
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        keyManagers = factory.getKeyManagers();
    }

    /**
     * Reads a certificate with its chain, and its key.
     *
     * @param before the certificate that was read last, which is returned if nothing has changed; {@code null} if there is none
     * @param certificates PEM
     * @param key PEM, not encrypted
     * @throws IOException if one of them can't be read, or if they don't match; the message contains nothing of the key
     */
    static ClientCertificate of(@Nullable ClientCertificate before, String certificates, String key)
            throws IOException {
        if (before != null && before.certificates.equals(certificates) && before.key.equals(key)) {
            return before;
        }
        try {
            return new ClientCertificate(certificates, key);
        } catch (GeneralSecurityException | IOException e) {
            throw new IOException("the client certificate can't be used: " + e.getMessage(), e);
        }
    }

    /** Returns the end of its validity. */
    Instant notAfter() {
        return leaf.getNotAfter().toInstant();
    }

    KeyManager[] keyManagers() {
        return keyManagers.clone();
    }

    /** Returns whether key and certificate match: if the two files are being replaced, one may be new and the other old. */
    private static boolean belongTogether(PrivateKey key, PublicKey publicKey) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(
                switch (key.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    default -> key.getAlgorithm();
                });
        signature.initSign(key);
        signature.update(SIGNED);
        byte[] signed = signature.sign();
        try {
            signature.initVerify(publicKey);
            signature.update(SIGNED);
            return signature.verify(signed);
        } catch (InvalidKeyException ofAnotherAlgorithm) {
            return false;
        }
    }

    @Override
    public String toString() {
        return leaf.getSubjectX500Principal() + ", valid until " + notAfter();
    }
}
