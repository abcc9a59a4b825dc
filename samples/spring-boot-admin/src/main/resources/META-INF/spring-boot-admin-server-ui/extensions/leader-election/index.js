// Spring Boot Admin: the leases of an application, each with all replicas that have registered here.
/* global SBA, Vue */
{
  const { h, resolveComponent } = Vue;

  const view = {
    props: { application: { type: Object, required: true } },
    data: () => ({ leases: {}, silent: [], shown: true }),
    created() {
      this.poll();
    },
    beforeUnmount() {
      this.shown = false;
    },
    methods: {
      async poll() {
        const leases = {};
        const silent = [];
        const ask = async (instance) => {
          try {
            const { data } = await instance.axios.get('actuator/leaderelection', { suppressToast: true });
            return Object.values(data.leases);
          } catch (error) {
            silent.push(`No answer from ${instance.registration.serviceUrl}: ${error.message}`);
            return [];
          }
        };
        const replicas = (await Promise.all(this.application.instances.map(ask))).flat();
        replicas.forEach((replica) => (leases[replica.lease] ??= []).push(replica));
        Object.assign(this, { leases, silent });
        if (this.shown) {
          setTimeout(this.poll, 5000);
        }
      },
      cells(replica) {
        const leads = replica.role === 'LEADER';
        return [
          replica.identity,
          replica.role,
          replica.candidate?.binaryVersion ?? '–',
          leads ? replica.fencingToken : '–',
          leads ? new Date(replica.acquireTime).toLocaleString() : '–',
          replica.work.map(({ work, state }) => `${work}: ${state}`).join(', ') || '–',
        ];
      },
    },
    render() {
      const row = (tag, texts) => h('tr', texts.map((text) => h(tag, { class: 'px-4 py-2 text-left' }, text)));
      const columns = ['replica', 'role', 'version', 'fencing token', 'leads since', 'led work'];
      return h('section', { class: 'p-6' }, [
        this.silent.map((text) => h('p', { class: 'pb-2' }, text)),
        Object.entries(this.leases).map(([lease, replicas]) =>
          h(resolveComponent('sba-panel'), { title: `${lease}: ${replicas[0].holder ?? 'no leader'}` }, () =>
            h('table', { class: 'w-full' }, [row('th', columns), replicas.map((it) => row('td', this.cells(it)))]),
          ),
        ),
      ]);
    },
  };

  SBA.use({
    install({ viewRegistry }) {
      viewRegistry.addView({
        name: 'instances/leaderelection',
        parent: 'instances',
        path: 'leaderelection',
        component: view,
        label: 'Leader election',
        group: 'insights',
        order: 200,
        isEnabled: ({ instance }) => instance.hasEndpoint('leaderelection'),
      });
    },
  });
}
