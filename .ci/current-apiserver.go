// Parts of a current kube-apiserver, from the libraries that it is made of: the compiler and the admission plugin of ValidatingAdmissionPolicies, and
// the server of custom resources. Built by .ci/current-apiserver.
//
//	current-apiserver compile FILE...   compiles every expression of the policies, as a server does before it creates them
//	current-apiserver review FILE...    reads one AdmissionRequest (admission.k8s.io/v1, JSON) per line of standard input, and answers each with an AdmissionResponse
//	current-apiserver crds FLAG...      serves CustomResourceDefinitions and their objects on the loopback interface, without authentication
//
// The files hold ValidatingAdmissionPolicies, their bindings, and for review the namespaces that the bindings select.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/pflag"
	admissionv1 "k8s.io/api/admission/v1"
	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiextensions-apiserver/pkg/cmd/server"
	crdoptions "k8s.io/apiextensions-apiserver/pkg/cmd/server/options"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/version"
	yamlutil "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/cel/environment"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/util/compatibility"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
)

func main() {
	if len(os.Args) < 2 {
		fail(errors.New("usage: current-apiserver compile|review|crds ..."))
	}
	command, arguments := os.Args[1], os.Args[2:]
	switch command {
	case "compile":
		objects, err := read(arguments)
		fail(err)
		if problems := compile(objects); len(problems) > 0 {
			fmt.Println(strings.Join(problems, "\n"))
			os.Exit(1)
		}
	case "review":
		objects, err := read(arguments)
		fail(err)
		fail(review(objects, os.Stdin, os.Stdout))
	case "crds":
		fail(serve(arguments))
	default:
		fail(fmt.Errorf("unknown command %q", command))
	}
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

// read decodes the objects strictly: an unknown field is an error, as it is for kubectl apply.
func read(files []string) ([]runtime.Object, error) {
	decoder := serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, scheme.Scheme, scheme.Scheme,
		serializer.SerializerOptions{Yaml: true, Strict: true})
	var objects []runtime.Object
	for _, file := range files {
		opened, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer opened.Close()
		documents := yamlutil.NewYAMLReader(bufio.NewReader(opened))
		for {
			document, err := documents.Read()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			if strings.TrimSpace(string(document)) == "" {
				continue
			}
			object, _, err := decoder.Decode(document, nil, nil)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			withDefaults(object)
			objects = append(objects, object)
		}
	}
	return objects, nil
}

// withDefaults sets what a server sets on creation (its own code for it is not in a library).
func withDefaults(object runtime.Object) {
	var resources *v1.MatchResources
	switch o := object.(type) {
	case *v1.ValidatingAdmissionPolicy:
		resources = o.Spec.MatchConstraints
		if o.Spec.FailurePolicy == nil {
			policy := v1.Fail
			o.Spec.FailurePolicy = &policy
		}
	case *v1.ValidatingAdmissionPolicyBinding:
		resources = o.Spec.MatchResources
	}
	if resources == nil {
		return
	}
	if resources.MatchPolicy == nil {
		equivalent := v1.Equivalent
		resources.MatchPolicy = &equivalent
	}
	if resources.NamespaceSelector == nil {
		resources.NamespaceSelector = &metav1.LabelSelector{}
	}
	if resources.ObjectSelector == nil {
		resources.ObjectSelector = &metav1.LabelSelector{}
	}
}

// oldest is the oldest Kubernetes that the policies are for (docs/threat-model.md): the language has grown with each version.
var oldest = version.MajorMinor(1, 30)

// compile returns one line for each expression that a server refuses when the policy is created, once with the language of this version and once with that
// of the oldest one. The language of policies that are stored already is larger (environment.StoredExpressions); review uses that one, as a server does.
func compile(objects []runtime.Object) []string {
	var problems []string
	for _, object := range objects {
		if policy, ok := object.(*v1.ValidatingAdmissionPolicy); ok {
			problems = append(problems, compilePolicy(policy, environment.DefaultCompatibilityVersion())...)
			problems = append(problems, compilePolicy(policy, oldest)...)
		}
	}
	return problems
}

func compilePolicy(policy *v1.ValidatingAdmissionPolicy, of *version.Version) []string {
	var problems []string
	compiler, err := plugincel.NewCompositedCompiler(environment.MustBaseEnvSet(of))
	fail(err)
	report := func(result plugincel.CompilationResult, where string, arguments ...any) {
		if result.Error != nil {
			problems = append(problems, fmt.Sprintf("%s, Kubernetes %s: %s: %v", policy.Name, of, fmt.Sprintf(where, arguments...), result.Error))
		}
	}
	withAuthorizer := plugincel.OptionalVariableDeclarations{HasParams: policy.Spec.ParamKind != nil, HasAuthorizer: true}
	without := plugincel.OptionalVariableDeclarations{HasParams: policy.Spec.ParamKind != nil}
	for _, v := range policy.Spec.Variables {
		report(compiler.CompileAndStoreVariable(&validating.Variable{Name: v.Name, Expression: v.Expression}, withAuthorizer, environment.NewExpressions), "variable %s", v.Name)
	}
	for _, c := range policy.Spec.MatchConditions {
		report(compiler.CompileCELExpression(&matchconditions.MatchCondition{Name: c.Name, Expression: c.Expression}, withAuthorizer,
			environment.NewExpressions), "match condition %s", c.Name)
	}
	for i, c := range policy.Spec.Validations {
		report(compiler.CompileCELExpression(&validating.ValidationCondition{Expression: c.Expression, Message: c.Message, Reason: c.Reason},
			withAuthorizer, environment.NewExpressions), "validations[%d]", i)
		if c.MessageExpression != "" {
			report(compiler.CompileCELExpression(&validating.MessageExpressionCondition{MessageExpression: c.MessageExpression}, without,
				environment.NewExpressions), "validations[%d].messageExpression", i)
		}
	}
	return problems
}

// review answers requests with kube-apiserver's own admission plugin.
func review(objects []runtime.Object, in io.Reader, out io.Writer) error {
	plugin, err := validating.NewPlugin(nil)
	if err != nil {
		return err
	}
	client := fake.NewClientset(objects...)
	factory := informers.NewSharedInformerFactory(client, 0)
	stop := make(chan struct{})
	defer close(stop)
	initializer.New(client, dynamicfake.NewSimpleDynamicClient(scheme.Scheme), factory, authorizer.AuthorizerFunc(administrators),
		utilfeature.DefaultFeatureGate, compatibility.DefaultBuildEffectiveVersion(), stop, meta.NewDefaultRESTMapper(nil)).Initialize(plugin)
	if err := plugin.ValidateInitialization(); err != nil {
		return err
	}
	factory.Start(stop)
	factory.WaitForCacheSync(stop)
	if !plugin.WaitForReady() {
		return errors.New("the policies are not ready")
	}
	encoder := json.NewEncoder(out)
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		var request admissionv1.AdmissionRequest
		if err := json.Unmarshal(line, &request); err != nil {
			return err
		}
		attributes, err := attributesOf(&request)
		if err != nil {
			return err
		}
		response := admissionv1.AdmissionResponse{UID: request.UID, Allowed: true}
		if err := plugin.Validate(context.Background(), attributes, admission.NewObjectInterfacesFromScheme(scheme.Scheme)); err != nil {
			response.Allowed = false
			var status apierrors.APIStatus
			if !errors.As(err, &status) {
				return err
			}
			refused := status.Status()
			response.Result = &refused
		}
		if err := encoder.Encode(&response); err != nil {
			return err
		}
	}
}

// administrators allows everything to the group that may do everything in a new cluster, and nothing to others.
func administrators(_ context.Context, attributes authorizer.Attributes) (authorizer.Decision, string, error) {
	for _, group := range attributes.GetUser().GetGroups() {
		if group == user.SystemPrivilegedGroup {
			return authorizer.DecisionAllow, "", nil
		}
	}
	return authorizer.DecisionNoOpinion, "", nil
}

func attributesOf(request *admissionv1.AdmissionRequest) (admission.Attributes, error) {
	kind := schema.GroupVersionKind{Group: request.Kind.Group, Version: request.Kind.Version, Kind: request.Kind.Kind}
	object, err := objectOf(request.Object.Raw, kind)
	if err != nil {
		return nil, err
	}
	before, err := objectOf(request.OldObject.Raw, kind)
	if err != nil {
		return nil, err
	}
	extra := map[string][]string{}
	for key, values := range request.UserInfo.Extra {
		extra[key] = values
	}
	by := &user.DefaultInfo{Name: request.UserInfo.Username, UID: request.UserInfo.UID, Groups: request.UserInfo.Groups, Extra: extra}
	resource := schema.GroupVersionResource{Group: request.Resource.Group, Version: request.Resource.Version, Resource: request.Resource.Resource}
	dryRun := request.DryRun != nil && *request.DryRun
	return admission.NewAttributesRecord(object, before, kind, request.Namespace, request.Name, resource, request.SubResource,
		admission.Operation(request.Operation), nil, dryRun, by), nil
}

// objectOf decodes an object as a server does: of a kind that it knows unknown fields are dropped.
func objectOf(text []byte, kind schema.GroupVersionKind) (runtime.Object, error) {
	if len(text) == 0 || string(text) == "null" {
		return nil, nil
	}
	decoded := &unstructured.Unstructured{Object: map[string]any{}}
	if scheme.Scheme.Recognizes(kind) {
		typed, err := scheme.Scheme.New(kind)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, typed); err != nil {
			return nil, err
		}
		if decoded.Object, err = runtime.DefaultUnstructuredConverter.ToUnstructured(typed); err != nil {
			return nil, err
		}
	} else if err := json.Unmarshal(text, &decoded.Object); err != nil {
		return nil, err
	}
	decoded.SetGroupVersionKind(kind)
	return decoded, nil
}

// serve runs the server of custom resources that is a part of kube-apiserver. Authentication, authorization and the existence of namespaces, for which
// it would need a whole API server, are left out.
func serve(arguments []string) error {
	options := crdoptions.NewCustomResourceDefinitionsServerOptions(os.Stdout, os.Stderr)
	flags := pflag.NewFlagSet("crds", pflag.ContinueOnError)
	options.AddFlags(flags)
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	if err := options.ServerRunOptions.ComponentGlobalsRegistry.Set(); err != nil {
		return err
	}
	recommended := options.RecommendedOptions
	recommended.Authentication = nil
	recommended.Authorization = nil
	recommended.Admission = nil
	recommended.CoreAPI = nil
	recommended.Features.EnablePriorityAndFairness = false
	// Only conversion webhooks are looked up with these informers; our definitions have none.
	recommended.ExtraAdmissionInitializers = func(config *genericapiserver.RecommendedConfig) ([]admission.PluginInitializer, error) {
		config.SharedInformerFactory = informers.NewSharedInformerFactory(fake.NewClientset(), 0)
		return nil, nil
	}
	if err := options.Complete(); err != nil {
		return err
	}
	if err := options.Validate(); err != nil {
		return err
	}
	return server.Run(genericapiserver.SetupSignalContext(), options)
}
