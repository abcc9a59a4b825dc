package io.cle.samples.firstleader;

import io.cle.spring.onleader.OnLeader;

/** Work that ends at once, for the meters of led work. Public, so that another process can have it as a bean. */
public class LedWork {

    @OnLeader
    void work() {}
}
