package io.cle.spring.lock.internal;

import java.util.LinkedHashMap;
import java.util.Map;

import io.cle.model.ObjectKey;
import io.cle.runtime.CoordinatedLeaseLock;
import io.cle.spring.lock.LeaseLocks;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** Makes the locks of an application that has switched leader election off. Reads no more properties than their names. */
public final class NeverLeadingLocks {

    private static final String NAMELESS = "application";
    private static final String NAMESPACE = "default";

    private NeverLeadingLocks() {}

    /** The lock of the default lease. */
    public static CoordinatedLeaseLock main(Environment environment) {
        String configured = environment.getProperty("cle.lease-name");
        String application = environment.getProperty("spring.application.name");
        return lock(
                StringUtils.hasText(configured)
                        ? configured
                        : StringUtils.hasText(application) ? application : NAMELESS);
    }

    /**
     * The locks of all leases.
     *
     * @param main the lock of the default lease, which a test may have replaced by a mock
     */
    public static LeaseLocks of(CoordinatedLeaseLock main, Environment environment) {
        Map<String, CoordinatedLeaseLock> further = new LinkedHashMap<>();
        FurtherLeaseLocksRegistrar.namesOf(environment).forEach(name -> further.put(name, lock(name)));
        return new LeaseLocks(MockedLock.withAnswers(main, main(environment)), further);
    }

    /** The lock of a lease by its name. */
    public static CoordinatedLeaseLock lock(String name) {
        return new NeverLeadingLock(new ObjectKey(NAMESPACE, name), name);
    }
}
