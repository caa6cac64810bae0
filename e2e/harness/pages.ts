// One address of each kind of page, for the tests that hold for all of them.

export interface Kind {
  /** What screenshots are called. */
  readonly name: string;
  readonly path: string;
  /** The status it answers with; 200 if not given. */
  readonly status?: number;
}

const core = "/c/practice/api/v1";
const storefrontAPI = "/apis/apps/v1/namespaces/shop/deployments/storefront";
const storefront = "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront";
const secret = `${core}/namespaces/shop/secrets/carts-db`;

/** Every kind of page that one sees when signed in. */
export const kinds: readonly Kind[] = [
  { name: "home", path: "/" },
  { name: "overview", path: "/c/practice" },
  { name: "contention", path: "/c/practice/-/contention" },
  { name: "chunks", path: "/c/practice/-/chunks?path=/api/v1/configmaps&limit=5" },
  { name: "versions", path: "/c/practice/-/versions?path=/api/v1/configmaps&cell=list-exact.old" },
  { name: "chunks-no-collection", path: "/c/practice/-/chunks?path=/version" },
  { name: "requests", path: "/c/practice/-/requests" },
  { name: "requests-none-pass", path: "/c/practice/-/requests?text=nosuchword&entry=999999" },
  { name: "watch", path: "/c/practice/-/watch?path=/api/v1/namespaces/shop/pods" },
  { name: "watch-version", path: "/c/practice/-/watch?path=/api/v1/pods&begin=version&version=1&as=metadata&timeout=20&bookmarks=off" },
  { name: "watch-unfit", path: "/c/practice/-/watch?path=/api/v1/namespaces/shop/pods/web" },
  { name: "discovery", path: "/c/practice/-/discovery" },
  { name: "discovery-type", path: "/c/practice/-/discovery?type=deployments.apps" },
  { name: "discovery-versions", path: "/c/practice/-/discovery?type=horizontalpodautoscalers.autoscaling" },
  { name: "discovery-openapi", path: "/c/practice/-/discovery?tab=openapi" },
  { name: "discovery-offered", path: "/c/practice/-/discovery?tab=offered&ask=1" },
  { name: "discovery-deprecated", path: "/c/practice/-/discovery?tab=deprecated" },
  { name: "discovery-raw", path: "/c/practice/-/discovery?tab=raw" },
  { name: "apply", path: "/c/practice/-/apply" },
  { name: "apply-object", path: "/c/practice/-/apply?edit=/apis/apps/v1/namespaces/shop/deployments/storefront" },
  { name: "request", path: "/c/practice/-/request?path=/apis/apps/v1/namespaces/shop/deployments%3Flimit%3D5&accept=Table" },
  { name: "request-body", path: "/c/practice/-/request?method=POST&path=/apis/authorization.k8s.io/v1/subjectaccessreviews&body={}" },
  { name: "representations", path: "/c/practice/-/representations" },
  { name: "representations-object", path: `/c/practice/-/representations?path=${storefrontAPI}` },
  { name: "groups", path: "/c/practice/apis" },
  { name: "group", path: "/c/practice/apis/apps" },
  { name: "group-version", path: "/c/practice/apis/apps/v1" },
  { name: "group-unknown", path: "/c/practice/apis/nosuch.example.com", status: 404 },
  { name: "collection", path: `${core}/pods` },
  { name: "collection-namespace", path: `${core}/namespaces/shop/pods` },
  { name: "collection-wide", path: `${core}/pods?wide=1` },
  { name: "collection-sorted", path: `${core}/pods?filter=running&sort=-Age` },
  { name: "collection-chunk", path: `${core}/pods?limit=5&sort=Name` },
  { name: "collection-custom", path: "/c/practice/apis/shop.example.com/v1/promotions" },
  { name: "collection-plain", path: "/c/practice/apis/shop.example.com/v1/regions" },
  { name: "collection-no-table", path: "/c/practice/apis/legacy.practice.fieldmark.dev/v1/readings" },
  { name: "collection-cluster", path: "/c/practice/apis/rbac.authorization.k8s.io/v1/clusterroles" },
  { name: "collection-empty", path: `${core}/namespaces/shop/replicationcontrollers` },
  { name: "collection-none-match", path: `${core}/pods?labelSelector=app%3Dnosuch` },
  { name: "collection-none-pass", path: `${core}/pods?filter=nosuchword` },
  { name: "selector-malformed", path: `${core}/pods?labelSelector=%3D%3D%3D`, status: 400 },
  { name: "namespace-unknown", path: `${core}/namespaces/nosuch/pods`, status: 404 },
  { name: "type-unknown", path: `${core}/nosuchthings`, status: 404 },
  { name: "forbidden", path: "/c/practice-viewer/api/v1/secrets", status: 403 },
  { name: "object-fields", path: storefront },
  { name: "object-field", path: `${storefront}?field=.spec.replicas&manager=argocd-controller` },
  { name: "object-yaml", path: `${storefront}?tab=yaml` },
  { name: "object-json", path: `${storefront}?tab=json` },
  { name: "object-events", path: `${storefront}?tab=events` },
  { name: "object-owners", path: `${storefront}?tab=owners` },
  { name: "object-schema", path: `${storefront}?tab=schema&field=.spec.template.spec.containers&open=.spec.template.spec.containers` },
  { name: "object-managed", path: `${storefront}?managed=1` },
  { name: "object-unowned", path: "/c/practice/apis/legacy.practice.fieldmark.dev/v1/namespaces/shop/readings/warehouse-temperature" },
  { name: "object-scale", path: `${storefront}/scale` },
  { name: "object-unknown", path: `${core}/namespaces/shop/pods/nosuch`, status: 404 },
  { name: "object-unreadable", path: `${core}/namespaces/shop/services/storefront/proxy`, status: 404 },
  { name: "object-untrusted", path: `${core}/namespaces/platform/configmaps/untrusted-text` },
  { name: "delete", path: `/c/practice/-/delete?path=${storefrontAPI}` },
  { name: "delete-nothing", path: "/c/practice/-/delete", status: 400 },
  { name: "assist-hand-over", path: `/c/practice/-/assist?path=${storefrontAPI}&from=argocd-controller|Apply||apps/v1&field=.spec.replicas&name=kube-controller-manager&how=scale` },
  { name: "assist-release", path: `/c/practice/-/assist?path=${storefrontAPI}&do=release&from=argocd-controller|Apply||apps/v1` },
  { name: "assist-clear", path: `/c/practice/-/assist?path=${storefrontAPI}&do=clear` },
  { name: "assist-to-server-side", path: `/c/practice/-/assist?path=${storefrontAPI}&do=to-server-side` },
  { name: "secret", path: secret },
  { name: "secret-revealed", path: `${secret}?reveal=POSTGRES_USER` },
  { name: "find-ambiguous", path: "/c/practice/-/find?type=events", status: 404 },
  { name: "find-unknown", path: "/c/practice/-/find?type=nosuchtype", status: 404 },
  { name: "not-a-resource", path: "/c/practice/version", status: 404 },
  { name: "cluster-unreachable", path: "/c/dead-server", status: 502 },
  { name: "cluster-untrusted", path: "/c/bad-ca", status: 502 },
  { name: "cluster-unknown", path: "/c/nosuch", status: 404 },
  { name: "address-unknown", path: "/nosuch", status: 404 },
  { name: "sign-in", path: "/-/sign-in" },
];
