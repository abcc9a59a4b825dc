package io.cle.kubernetes.internal.login;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;

import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;

/**
 * Reads a client certificate and its key. client-java's own class needs Bouncy Castle, 11 MB in every application; the JDK can do the same except
 * for unpacking the key file.
 */
public final class ClientCertificate {

    private static final char[] NO_PASSWORD = {};

    private ClientCertificate() {}

    /**
     * Reads a certificate with its chain, and its key.
     *
     * @param certificates PEM
     * @param key PEM, not encrypted
     * @throws IOException if one of them can't be read; the message contains nothing of the key
     */
    public static KeyManager[] keyManagers(byte[] certificates, byte[] key) throws IOException {
        try {
            return read(certificates, new String(key, StandardCharsets.US_ASCII));
        } catch (GeneralSecurityException | IOException e) {
            throw new IOException("the client certificate can't be used: " + e.getMessage(), e);
        }
    }

    private static KeyManager[] read(byte[] certificates, String key) throws GeneralSecurityException, IOException {
        X509Certificate[] chain = CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(certificates))
                .toArray(X509Certificate[]::new);
        if (chain.length == 0) {
            throw new IOException("there is no certificate in it");
        }
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        store.setKeyEntry("client", PemPrivateKey.read(key), NO_PASSWORD, chain);
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }
}
