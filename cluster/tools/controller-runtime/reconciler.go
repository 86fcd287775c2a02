package main

import (
	"context"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

type reconciler struct {
	client.Client
	image string
}

// Reconcile follows the tutorial step by step: fetch, first condition, create, resize, last condition.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	memcached := new(Memcached)
	if err := r.Get(ctx, request.NamespacedName, memcached); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if len(memcached.Status.Conditions) == 0 {
		if err := r.report(ctx, memcached, metav1.ConditionUnknown, "Reconciling", "Starting reconciliation"); err != nil {
			return ctrl.Result{}, err
		}
		if err := r.Get(ctx, request.NamespacedName, memcached); err != nil {
			return ctrl.Result{}, err
		}
	}

	deployment := new(appsv1.Deployment)
	err := r.Get(ctx, request.NamespacedName, deployment)
	if apierrors.IsNotFound(err) {
		return r.create(ctx, memcached)
	}
	if err != nil {
		return ctrl.Result{}, err
	}
	if *deployment.Spec.Replicas != memcached.Spec.Size {
		return r.resize(ctx, memcached, deployment)
	}

	message := fmt.Sprintf("Deployment for custom resource (%s) with %d replicas created successfully",
		memcached.Name, memcached.Spec.Size)
	return ctrl.Result{}, r.report(ctx, memcached, metav1.ConditionTrue, "Reconciling", message)
}

func (r *reconciler) create(ctx context.Context, memcached *Memcached) (ctrl.Result, error) {
	deployment := deploymentFor(memcached, r.image)
	if err := controllerutil.SetControllerReference(memcached, deployment, r.Scheme()); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.Create(ctx, deployment); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: time.Minute}, nil
}

func (r *reconciler) resize(ctx context.Context, memcached *Memcached, deployment *appsv1.Deployment) (ctrl.Result, error) {
	deployment.Spec.Replicas = &memcached.Spec.Size
	if failure := r.Update(ctx, deployment); failure != nil {
		if err := r.Get(ctx, client.ObjectKeyFromObject(memcached), memcached); err != nil {
			return ctrl.Result{}, err
		}
		message := fmt.Sprintf("Failed to update the size for the custom resource (%s): (%s)", memcached.Name, failure)
		if err := r.report(ctx, memcached, metav1.ConditionFalse, "Resizing", message); err != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{}, failure
	}
	return ctrl.Result{Requeue: true}, nil
}

func (r *reconciler) report(ctx context.Context, memcached *Memcached, status metav1.ConditionStatus, reason, message string) error {
	condition := metav1.Condition{Type: "Available", Status: status, Reason: reason, Message: message}
	meta.SetStatusCondition(&memcached.Status.Conditions, condition)
	return r.Status().Update(ctx, memcached)
}
