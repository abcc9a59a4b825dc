package io.cle.samples.candidate;

import java.util.List;

import io.cle.spring.event.OnGrantedLeadership;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.devtools.restart.Restarter;
import org.springframework.context.event.EventListener;

/**
 * An application that lets devtools restart it when it leads for the first time, and prints when it leads again. It
 * isn't annotated as a configuration, so that the sample's own component scan ignores it.
 */
@EnableAutoConfiguration
public class RestartedByDevtools {

    /** The class loader of the first run; a system property, because nothing static survives a restart. */
    private static final String FORMER = "former.class.loader";

    public static void main(String[] args) {
        SpringApplication.run(RestartedByDevtools.class, args);
    }

    @EventListener(OnGrantedLeadership.class)
    public void granted() {
        String present = nameOf(getClass().getClassLoader());
        String former = System.getProperty(FORMER);
        if (former == null) {
            System.setProperty(FORMER, present);
            System.out.println("leads");
            Restarter.getInstance().restart();
        } else {
            System.out.println("leads again, by the same class loader: " + former.equals(present)
                    + ", threads of the former one: " + threadsOf(former));
        }
    }

    /** Returns the threads of leader election in a class loader. */
    private static List<String> threadsOf(String loader) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> loader.equals(nameOf(thread.getContextClassLoader())))
                .map(Thread::getName)
                .filter(name -> name.startsWith("cle-"))
                .sorted()
                .toList();
    }

    private static String nameOf(ClassLoader loader) {
        return loader + "@" + System.identityHashCode(loader);
    }
}
