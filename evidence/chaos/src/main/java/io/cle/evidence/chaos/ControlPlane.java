package io.cle.evidence.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.cle.evidence.process.Proxy;
import io.cle.test.apiserver.real.RealControlPlane;

/**
 * Three etcd members and two kube-apiservers with a proxy in front of each etcd member for its peers, and between each kube-apiserver and its
 * etcd member.
 */
final class ControlPlane implements AutoCloseable {

    private final List<Proxy> peers = new ArrayList<>();
    private final List<Proxy> etcdOf = new ArrayList<>();
    private final RealControlPlane processes;
    private final List<String> memberIds;

    ControlPlane() {
        processes = RealControlPlane.start(new RealControlPlane.Wiring() {
            @Override
            public int peer(int member, int port) {
                return proxied(peers, Proxy.RouteBy.ETCD_MEMBER, port);
            }

            @Override
            public int etcdOf(int apiServer, int port) {
                return proxied(etcdOf, Proxy.RouteBy.BACKEND, port);
            }
        });
        memberIds = IntStream.range(0, RealControlPlane.MEMBERS)
                .mapToObj(processes::memberId)
                .toList();
    }

    private static int proxied(List<Proxy> proxies, Proxy.RouteBy routeBy, int port) {
        try {
            Proxy proxy = new Proxy(routeBy, List.of(port));
            proxies.add(proxy);
            return proxy.port();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the processes. */
    RealControlPlane processes() {
        return processes;
    }

    Path kubeconfig() {
        return processes.kubeconfig();
    }

    /** Returns the API server of {@link #kubeconfig()}. */
    URI uri() {
        return processes.uri(0);
    }

    /** Returns the ports of the kube-apiservers. */
    List<Integer> ports() {
        return IntStream.range(0, RealControlPlane.API_SERVERS)
                .mapToObj(i -> processes.uri(i).getPort())
                .toList();
    }

    /** Starts or stops silently blocking the traffic between an etcd member and both others. */
    void isolate(int member, boolean yes) {
        for (int other = 0; other < RealControlPlane.MEMBERS; other++) {
            if (other != member) {
                part(member, other, yes);
            }
        }
    }

    /** Starts or stops silently blocking the traffic between two etcd members. */
    void part(int one, int other, boolean yes) {
        peers.get(one).silence(memberIds.get(other), yes);
        peers.get(other).silence(memberIds.get(one), yes);
    }

    /** Starts or stops silently blocking the traffic between a kube-apiserver and its etcd member. */
    void cutFromEtcd(int apiServer, boolean yes) {
        etcdOf.get(apiServer).stall(yes);
    }

    /** Ends all faults. */
    void heal() {
        peers.forEach(Proxy::heal);
        etcdOf.forEach(Proxy::heal);
        processes.startEtcd();
        for (int i = 0; i < RealControlPlane.API_SERVERS; i++) {
            processes.startApiServer(i);
        }
    }

    @Override
    public void close() throws IOException {
        processes.close();
        for (Proxy proxy : peers) {
            proxy.close();
        }
        for (Proxy proxy : etcdOf) {
            proxy.close();
        }
    }
}
