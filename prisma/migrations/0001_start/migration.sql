-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "token_purpose" AS ENUM ('VERIFY_EMAIL', 'RESET_PASSWORD');

-- CreateEnum
CREATE TYPE "domain_status" AS ENUM ('PENDING', 'VERIFIED');

-- CreateEnum
CREATE TYPE "email_status" AS ENUM ('PENDING', 'SENDING', 'SENT', 'DELIVERED', 'OPENED', 'CLICKED', 'BOUNCED', 'COMPLAINED', 'FAILED', 'CANCELLED', 'SUPPRESSED', 'REJECTED');

-- CreateEnum
CREATE TYPE "email_source" AS ENUM ('TRANSACTIONAL', 'CAMPAIGN', 'WORKFLOW');

-- CreateEnum
CREATE TYPE "tracking" AS ENUM ('ENABLED', 'DISABLED', 'MARKETING_ONLY');

-- CreateEnum
CREATE TYPE "role" AS ENUM ('OWNER', 'ADMIN', 'MEMBER');

-- CreateEnum
CREATE TYPE "key_kind" AS ENUM ('PUBLIC', 'SECRET');

-- CreateEnum
CREATE TYPE "reset_kind" AS ENUM ('RESET', 'DELETE');

-- CreateEnum
CREATE TYPE "suppression_reason" AS ENUM ('BOUNCE', 'COMPLAINT');

-- CreateEnum
CREATE TYPE "mail_type" AS ENUM ('MARKETING', 'TRANSACTIONAL', 'HEADLESS');

-- CreateTable
CREATE TABLE "rate_windows" (
    "project_id" TEXT NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "requests" INTEGER NOT NULL,

    CONSTRAINT "rate_windows_pkey" PRIMARY KEY ("project_id","starts_at")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "address" TEXT,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account_tokens" (
    "hash" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "purpose" "token_purpose" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "account_tokens_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "auth_attempts" (
    "key" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "auth_attempts_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "billing_accounts" (
    "project_id" TEXT NOT NULL,
    "customer" TEXT,
    "subscription" TEXT,
    "currency" TEXT,
    "workflows" INTEGER,
    "campaigns" INTEGER,
    "transactional" INTEGER,
    "inbound" INTEGER,
    "version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "billing_accounts_pkey" PRIMARY KEY ("project_id")
);

-- CreateTable
CREATE TABLE "billing_usage" (
    "project_id" TEXT NOT NULL,
    "period" DATE NOT NULL,
    "category" TEXT NOT NULL,
    "slot" SMALLINT NOT NULL,
    "count" INTEGER NOT NULL,
    "ceiling" INTEGER,
    "warned_at" TIMESTAMPTZ(3),
    "blocked_at" TIMESTAMPTZ(3),

    CONSTRAINT "billing_usage_pkey" PRIMARY KEY ("project_id","period","category","slot")
);

-- CreateTable
CREATE TABLE "billing_reports" (
    "project_id" TEXT NOT NULL,
    "period" DATE NOT NULL,
    "reported" INTEGER NOT NULL,
    "pending" INTEGER,

    CONSTRAINT "billing_reports_pkey" PRIMARY KEY ("project_id","period")
);

-- CreateTable
CREATE TABLE "stripe_events" (
    "id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "stripe_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "contacts" (
    "project_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "subscribed" BOOLEAN NOT NULL DEFAULT true,
    "data" JSONB NOT NULL DEFAULT '{}',
    "deleted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "contacts_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "contact_fields" (
    "project_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "first_seen" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "contact_fields_pkey" PRIMARY KEY ("project_id","key")
);

-- CreateTable
CREATE TABLE "domains" (
    "project_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "domain" TEXT NOT NULL,
    "status" "domain_status" NOT NULL DEFAULT 'PENDING',
    "dkim_selector" TEXT NOT NULL,
    "dkim_public" TEXT NOT NULL,
    "dkim_sealed" TEXT NOT NULL,
    "findings" JSONB,
    "misses" INTEGER NOT NULL DEFAULT 0,
    "checked_at" TIMESTAMPTZ(3),
    "check_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "domains_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "email_contents" (
    "project_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "template_id" TEXT,
    "type" "mail_type" NOT NULL,
    "subject" TEXT NOT NULL,
    "html" TEXT NOT NULL,
    "text" TEXT,
    "from_address" TEXT NOT NULL,
    "from_name" TEXT,
    "reply_to" TEXT,
    "cc" JSONB NOT NULL DEFAULT '[]',
    "bcc" JSONB NOT NULL DEFAULT '[]',
    "headers" JSONB NOT NULL DEFAULT '{}',
    "data" JSONB NOT NULL DEFAULT '{}',
    "tags" JSONB NOT NULL DEFAULT '[]',
    "tracking" BOOLEAN,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "email_contents_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "email_attachments" (
    "project_id" TEXT NOT NULL,
    "content_id" TEXT NOT NULL,
    "position" SMALLINT NOT NULL,
    "filename" TEXT NOT NULL,
    "content_type" TEXT NOT NULL,
    "cid" TEXT,
    "inline" BOOLEAN NOT NULL DEFAULT false,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "email_attachments_pkey" PRIMARY KEY ("project_id","content_id","position")
);

-- CreateTable
CREATE TABLE "emails" (
    "project_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "contact_id" TEXT NOT NULL,
    "content_id" TEXT NOT NULL,
    "source" "email_source" NOT NULL DEFAULT 'TRANSACTIONAL',
    "status" "email_status" NOT NULL DEFAULT 'PENDING',
    "to_address" TEXT NOT NULL,
    "to_name" TEXT,
    "subject" TEXT NOT NULL,
    "reason" TEXT,
    "attempts" SMALLINT NOT NULL DEFAULT 0,
    "wake_at" TIMESTAMPTZ(3),
    "claim" TEXT,
    "sent_at" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),
    "opened_at" TIMESTAMPTZ(3),
    "clicked_at" TIMESTAMPTZ(3),
    "bounced_at" TIMESTAMPTZ(3),
    "complained_at" TIMESTAMPTZ(3),
    "opens" INTEGER NOT NULL DEFAULT 0,
    "clicks" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "emails_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "send_buckets" (
    "project_id" TEXT NOT NULL,
    "tokens" DOUBLE PRECISION NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "send_buckets_pkey" PRIMARY KEY ("project_id")
);

-- CreateTable
CREATE TABLE "captured_mails" (
    "id" TEXT NOT NULL,
    "project_id" TEXT,
    "email_id" TEXT,
    "from" TEXT NOT NULL,
    "to" TEXT[],
    "subject" TEXT NOT NULL,
    "raw" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "captured_mails_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "events" (
    "project_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "epoch" SMALLINT NOT NULL DEFAULT 1,
    "xid" xid8 NOT NULL DEFAULT pg_current_xact_id(),
    "name" TEXT NOT NULL,
    "contact_id" TEXT,
    "email_id" TEXT,
    "data" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "events_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "event_counts" (
    "project_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "event_counts_pkey" PRIMARY KEY ("project_id","name","day")
);

-- CreateTable
CREATE TABLE "log_readers" (
    "reader" TEXT NOT NULL,
    "epoch" SMALLINT NOT NULL,
    "xid" xid8 NOT NULL,
    "id" TEXT NOT NULL,

    CONSTRAINT "log_readers_pkey" PRIMARY KEY ("reader")
);

-- CreateTable
CREATE TABLE "event_erasures" (
    "project_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "contact_id" TEXT,
    "name" TEXT,
    "before" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "event_erasures_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "projects" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "disabled" BOOLEAN NOT NULL DEFAULT false,
    "disabled_reason" TEXT,
    "erasing_at" TIMESTAMPTZ(3),
    "tracking" "tracking" NOT NULL DEFAULT 'ENABLED',
    "language" TEXT NOT NULL DEFAULT 'en',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "projects_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "project_keys" (
    "hash" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "kind" "key_kind" NOT NULL,
    "sealed" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "project_keys_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "memberships" (
    "project_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "role" "role" NOT NULL DEFAULT 'MEMBER',
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("project_id","user_id")
);

-- CreateTable
CREATE TABLE "invitations" (
    "project_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "role" "role" NOT NULL,
    "hash" TEXT NOT NULL,
    "invited_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "resets" (
    "project_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "kind" "reset_kind" NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "progress_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "resets_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "reputations" (
    "project_id" TEXT NOT NULL,
    "sent" BIGINT NOT NULL,
    "bounces" BIGINT NOT NULL,
    "complaints" BIGINT NOT NULL,
    "base_sent" BIGINT NOT NULL DEFAULT 0,
    "base_bounces" BIGINT NOT NULL DEFAULT 0,
    "base_complaints" BIGINT NOT NULL DEFAULT 0,
    "forgiven_at" TIMESTAMPTZ(3),
    "bounces_moved" BOOLEAN NOT NULL DEFAULT false,
    "complaints_moved" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "reputations_pkey" PRIMARY KEY ("project_id")
);

-- CreateTable
CREATE TABLE "reputation_hours" (
    "project_id" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "sent" INTEGER NOT NULL,
    "bounces" INTEGER NOT NULL,
    "complaints" INTEGER NOT NULL,

    CONSTRAINT "reputation_hours_pkey" PRIMARY KEY ("project_id","hour")
);

-- CreateTable
CREATE TABLE "suspensions" (
    "project_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "detail" TEXT NOT NULL,
    "suspended_at" TIMESTAMPTZ(3) NOT NULL,
    "lifted_at" TIMESTAMPTZ(3),

    CONSTRAINT "suspensions_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "suppressions" (
    "project_id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "reason" "suppression_reason" NOT NULL,
    "email_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "suppressions_pkey" PRIMARY KEY ("project_id","email")
);

-- CreateTable
CREATE TABLE "templates" (
    "project_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "subject" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "from" TEXT NOT NULL,
    "from_name" TEXT,
    "reply_to" TEXT,
    "type" "mail_type" NOT NULL DEFAULT 'MARKETING',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "templates_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "uploads" (
    "project_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "filename" TEXT NOT NULL,
    "content_type" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "uploads_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "password_hash" TEXT,
    "email_verified" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "identities" (
    "provider" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "identities_pkey" PRIMARY KEY ("provider","subject")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "project_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "answer" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("project_id","key")
);

-- CreateIndex
CREATE INDEX "rate_windows_starts_at_idx" ON "rate_windows"("starts_at");

-- CreateIndex
CREATE INDEX "sessions_user_id_id_idx" ON "sessions"("user_id", "id");

-- CreateIndex
CREATE INDEX "sessions_expires_at_idx" ON "sessions"("expires_at");

-- CreateIndex
CREATE INDEX "account_tokens_user_id_idx" ON "account_tokens"("user_id");

-- CreateIndex
CREATE INDEX "account_tokens_expires_at_idx" ON "account_tokens"("expires_at");

-- CreateIndex
CREATE INDEX "auth_attempts_expires_at_idx" ON "auth_attempts"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "billing_accounts_customer_key" ON "billing_accounts"("customer");

-- CreateIndex
CREATE INDEX "stripe_events_received_at_idx" ON "stripe_events"("received_at");

-- CreateIndex
CREATE UNIQUE INDEX "contacts_project_id_email_key" ON "contacts"("project_id", "email");

-- CreateIndex
CREATE INDEX "domains_check_at_idx" ON "domains"("check_at");

-- CreateIndex
CREATE UNIQUE INDEX "domains_project_id_domain_key" ON "domains"("project_id", "domain");

-- CreateIndex
CREATE INDEX "email_contents_project_id_template_id_idx" ON "email_contents"("project_id", "template_id");

-- CreateIndex
CREATE INDEX "emails_project_id_contact_id_id_idx" ON "emails"("project_id", "contact_id", "id");

-- CreateIndex
CREATE INDEX "emails_project_id_content_id_idx" ON "emails"("project_id", "content_id");

-- CreateIndex
CREATE INDEX "captured_mails_email_id_idx" ON "captured_mails"("email_id");

-- CreateIndex
CREATE INDEX "events_epoch_xid_id_idx" ON "events"("epoch", "xid", "id");

-- CreateIndex
CREATE INDEX "events_project_id_epoch_xid_id_idx" ON "events"("project_id", "epoch", "xid", "id");

-- CreateIndex
CREATE INDEX "events_project_id_name_id_idx" ON "events"("project_id", "name", "id");

-- CreateIndex
CREATE INDEX "events_project_id_contact_id_id_idx" ON "events"("project_id", "contact_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "project_keys_project_id_kind_key" ON "project_keys"("project_id", "kind");

-- CreateIndex
CREATE INDEX "memberships_user_id_idx" ON "memberships"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "invitations_hash_key" ON "invitations"("hash");

-- CreateIndex
CREATE INDEX "invitations_email_idx" ON "invitations"("email");

-- CreateIndex
CREATE UNIQUE INDEX "invitations_project_id_email_key" ON "invitations"("project_id", "email");

-- CreateIndex
CREATE INDEX "resets_finished_at_progress_at_idx" ON "resets"("finished_at", "progress_at");

-- CreateIndex
CREATE INDEX "reputation_hours_hour_idx" ON "reputation_hours"("hour");

-- CreateIndex
CREATE INDEX "templates_project_id_type_idx" ON "templates"("project_id", "type");

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "identities_user_id_idx" ON "identities"("user_id");

-- CreateIndex
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys"("created_at");

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account_tokens" ADD CONSTRAINT "account_tokens_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "domains" ADD CONSTRAINT "domains_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "email_attachments" ADD CONSTRAINT "email_attachments_project_id_content_id_fkey" FOREIGN KEY ("project_id", "content_id") REFERENCES "email_contents"("project_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "emails" ADD CONSTRAINT "emails_project_id_contact_id_fkey" FOREIGN KEY ("project_id", "contact_id") REFERENCES "contacts"("project_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "emails" ADD CONSTRAINT "emails_project_id_content_id_fkey" FOREIGN KEY ("project_id", "content_id") REFERENCES "email_contents"("project_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_project_id_contact_id_fkey" FOREIGN KEY ("project_id", "contact_id") REFERENCES "contacts"("project_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "project_keys" ADD CONSTRAINT "project_keys_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "templates" ADD CONSTRAINT "templates_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
