package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Memcached holds the two fields that the loop reads and writes.
type Memcached struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              MemcachedSpec   `json:"spec,omitempty"`
	Status            MemcachedStatus `json:"status,omitempty"`
}

type MemcachedSpec struct {
	Size int32 `json:"size"`
}

type MemcachedStatus struct {
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

type MemcachedList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Memcached `json:"items"`
}

func addMemcachedTo(scheme *runtime.Scheme) {
	// v1 and not v1alpha1: a deprecated version would have the peer log a warning for every answer.
	version := schema.GroupVersion{Group: "cache.example.com", Version: "v1"}
	scheme.AddKnownTypes(version, &Memcached{}, &MemcachedList{})
	metav1.AddToGroupVersion(scheme, version)
}

func (m *Memcached) copyTo(out *Memcached) {
	*out = *m
	m.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Status.Conditions = append([]metav1.Condition(nil), m.Status.Conditions...)
}

func (m *Memcached) DeepCopyObject() runtime.Object {
	out := new(Memcached)
	m.copyTo(out)
	return out
}

func (l *MemcachedList) DeepCopyObject() runtime.Object {
	out := &MemcachedList{TypeMeta: l.TypeMeta, ListMeta: *l.ListMeta.DeepCopy()}
	out.Items = make([]Memcached, len(l.Items))
	for i := range l.Items {
		l.Items[i].copyTo(&out.Items[i])
	}
	return out
}
