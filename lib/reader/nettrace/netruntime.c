#include "reader/nettrace/netruntime.h"

/* Events of the runtime, sorted by id.  netfield.h explains the letters. */
static const struct netruntime_event runtime[] = {
	{ 1, "GCStart",
	  "iCount iDepth iReason iType hClrInstanceID qClientSequenceNumber" },
	{ 2, "GCEnd", "iCount iDepth" },
	{ 3, "GCRestartEEEnd", NULL },
	{ 4, "GCHeapStats", NULL },
	{ 5, "GCCreateSegment", "qAddress qSize iType" },
	{ 6, "GCFreeSegment", NULL },
	{ 7, "GCRestartEEBegin", NULL },
	{ 8, "GCSuspendEEEnd", NULL },
	{ 9, "GCSuspendEEBegin", "iReason iCount" },
	{ 10, "GCAllocationTick",
	  "iAllocationAmount iAllocationKind hClrInstanceID qAllocationAmount64 "
	  "pTypeID sTypeName iHeapIndex pAddress qObjectSize" },
	{ 11, "GCCreateConcurrentThread", NULL },
	{ 12, "GCTerminateConcurrentThread", NULL },
	{ 13, "GCFinalizersEnd", "iCount" },
	{ 14, "GCFinalizersBegin", NULL },
	{ 15, "BulkType", NULL },
	{ 16, "GCBulkRootEdge", NULL },
	{ 17, "GCBulkRootConditionalWeakTableElementEdge", NULL },
	{ 18, "GCBulkNode", NULL },
	{ 19, "GCBulkEdge", NULL },
	{ 20, "GCSampledObjectAllocationHigh",
	  "pAddress pTypeID iObjectCountForTypeSample qTotalSizeForTypeSample" },
	{ 21, "GCBulkSurvivingObjectRanges", NULL },
	{ 22, "GCBulkMovedObjectRanges", NULL },
	{ 23, "GCGenerationRange",
	  "bGeneration pRangeStart qRangeUsedLength qRangeReservedLength" },
	{ 25, "GCMarkStackRoots", NULL },
	{ 26, "GCMarkFinalizeQueueRoots", NULL },
	{ 27, "GCMarkHandles", NULL },
	{ 28, "GCMarkOlderGenerationRoots", NULL },
	{ 29, "FinalizeObject", NULL },
	{ 30, "SetGCHandle", NULL },
	{ 31, "DestroyGCHandle", NULL },
	{ 32, "GCSampledObjectAllocationLow",
	  "pAddress pTypeID iObjectCountForTypeSample qTotalSizeForTypeSample" },
	{ 33, "PinObjectAtGCTime", "pHandleID pObjectID qObjectSize sTypeName" },
	{ 35, "GCTriggered", "iReason" },
	{ 36, "GCBulkRootCCW", NULL },
	{ 37, "GCBulkRCW", NULL },
	{ 38, "GCBulkRootStaticVar", NULL },
	{ 39, "GCDynamicEvent", NULL },
	{ 40, "WorkerThreadCreate", NULL },
	{ 41, "WorkerThreadTerminate", NULL },
	{ 42, "WorkerThreadRetire", NULL },
	{ 43, "WorkerThreadUnretire", NULL },
	{ 44, "IOThreadCreate", NULL },
	{ 45, "IOThreadTerminate", NULL },
	{ 46, "IOThreadRetire", NULL },
	{ 47, "IOThreadUnretire", NULL },
	{ 48, "ThreadpoolSuspensionSuspendThread", NULL },
	{ 49, "ThreadpoolSuspensionResumeThread", NULL },
	{ 50, "ThreadPoolWorkerThreadStart",
	  "iActiveWorkerThreadCount iRetiredWorkerThreadCount" },
	{ 51, "ThreadPoolWorkerThreadStop",
	  "iActiveWorkerThreadCount iRetiredWorkerThreadCount" },
	{ 54, "ThreadPoolWorkerThreadAdjustmentSample", "dThroughput" },
	{ 55, "ThreadPoolWorkerThreadAdjustmentAdjustment",
	  "dAverageThroughput iNewWorkerThreadCount iReason" },
	{ 56, "ThreadPoolWorkerThreadAdjustmentStats", NULL },
	{ 57, "ThreadPoolWorkerThreadWait",
	  "iActiveWorkerThreadCount iRetiredWorkerThreadCount" },
	{ 58, "YieldProcessorMeasurement", NULL },
	{ 59, "ThreadPoolMinMaxThreads",
	  "hMinWorkerThreads hMaxWorkerThreads hMinIOCompletionThreads "
	  "hMaxIOCompletionThreads" },
	{ 60, "ThreadPoolWorkingThreadCount", "iCount" },
	{ 63, "ThreadPoolIOEnqueue", NULL },
	{ 64, "ThreadPoolIODequeue", NULL },
	{ 65, "ThreadPoolIOPack", NULL },
	{ 70, "ThreadCreating", "pID" },
	{ 71, "ThreadRunning", NULL },
	{ 72, "MethodDetails", NULL },
	{ 73, "TypeLoadStart", NULL },
	{ 74, "TypeLoadStop",
	  "iTypeLoadStartID hClrInstanceID hLoadLevel qTypeID sTypeName" },
	{ 80, "ExceptionThrown",
	  "sExceptionType sExceptionMessage pExceptionEIP iExceptionHRESULT "
	  "hExceptionFlags" },
	{ 81, "ContentionStart",
	  "bContentionFlags hClrInstanceID pLockID pAssociatedObjectID "
	  "qLockOwnerThreadID" },
	{ 82, "CLRStackWalk", NULL },
	{ 83, "AppDomainMemAllocated", NULL },
	{ 84, "AppDomainMemSurvived", NULL },
	{ 85, "ThreadCreated", NULL },
	{ 86, "ThreadTerminated", NULL },
	{ 87, "ThreadDomainEnter", NULL },
	{ 88, "ILStubGenerated", NULL },
	{ 89, "ILStubCacheHit", NULL },
	{ 90, "ContentionLockCreated", NULL },
	{ 91, "ContentionStop", "bContentionFlags hClrInstanceID dDurationNs" },
	{ 135, "DCStartCompleteV2", NULL },
	{ 136, "DCEndCompleteV2", NULL },
	{ 137, "MethodDCStartV2", NULL },
	{ 138, "MethodDCEndV2", NULL },
	{ 139, "MethodDCStartVerboseV2", NULL },
	{ 140, "MethodDCEndVerboseV2", NULL },
	{ 141, "MethodLoad",
	  "qMethodID qModuleID qMethodStartAddress iMethodSize iMethodToken "
	  "iMethodFlags" },
	{ 142, "MethodUnload",
	  "qMethodID qModuleID qMethodStartAddress iMethodSize iMethodToken "
	  "iMethodFlags" },
	{ 143, "MethodLoadVerbose",
	  "qMethodID qModuleID qMethodStartAddress iMethodSize iMethodToken "
	  "iMethodFlags sMethodNamespace sMethodName sMethodSignature" },
	{ 144, "MethodUnloadVerbose",
	  "qMethodID qModuleID qMethodStartAddress iMethodSize iMethodToken "
	  "iMethodFlags sMethodNamespace sMethodName sMethodSignature" },
	{ 145, "MethodJittingStarted",
	  "qMethodID qModuleID iMethodToken iMethodILSize sMethodNamespace "
	  "sMethodName sMethodSignature" },
	{ 146, "MethodJitMemoryAllocatedForCode",
	  "qMethodID qModuleID qJitHotCodeRequestSize qJitRODataRequestSize "
	  "qAllocatedSizeForJitCode iJitAllocFlag" },
	{ 149, "ModuleDCStartV2", NULL },
	{ 150, "ModuleDCEndV2", NULL },
	{ 151, "DomainModuleLoad", NULL },
	{ 152, "ModuleLoad", NULL },
	{ 153, "ModuleUnload", NULL },
	{ 154, "AssemblyLoad", NULL },
	{ 155, "AssemblyUnload", NULL },
	{ 156, "AppDomainLoad", NULL },
	{ 157, "AppDomainUnload", NULL },
	{ 158, "ModuleRangeLoad", NULL },
	{ 159, "R2RGetEntryPoint", NULL },
	{ 160, "R2RGetEntryPointStart", NULL },
	{ 181, "StrongNameVerificationStart", NULL },
	{ 182, "StrongNameVerificationStop", NULL },
	{ 183, "AuthenticodeVerificationStart", NULL },
	{ 184, "AuthenticodeVerificationStop", NULL },
	{ 185, "MethodJitInliningSucceeded", NULL },
	{ 186, "MethodJitInliningFailedAnsi", NULL },
	{ 187, "RuntimeInformationStart", NULL },
	{ 188, "MethodJitTailCallSucceeded", NULL },
	{ 189, "MethodJitTailCallFailedAnsi", NULL },
	{ 190, "MethodILToNativeMap", NULL },
	{ 191, "MethodJitTailCallFailed", NULL },
	{ 192, "MethodJitInliningFailed", NULL },
	{ 200, "IncreaseMemoryPressure", "qBytesAllocated" },
	{ 201, "DecreaseMemoryPressure", "qBytesFreed" },
	{ 202, "GCMarkWithType", "iHeapNum hClrInstanceID iType qBytes" },
	{ 203, "GCJoin", "iHeap iJoinTime iJoinType hClrInstanceID iJoinID" },
	{ 204, "GCPerHeapHistory", NULL },
	{ 205, "GCGlobalHeapHistory", NULL },
	{ 206, "GenAwareBegin", NULL },
	{ 207, "GenAwareEnd", NULL },
	{ 208, "GCLOHCompact", NULL },
	{ 209, "GCFitBucketInfo", NULL },
	{ 240, "DebugIPCEventStart", NULL },
	{ 241, "DebugIPCEventEnd", NULL },
	{ 242, "DebugExceptionProcessingStart", NULL },
	{ 243, "DebugExceptionProcessingEnd", NULL },
	{ 250, "ExceptionCatchStart", "qEntryEIP qMethodID sMethodName" },
	{ 251, "ExceptionCatchStop", NULL },
	{ 252, "ExceptionFinallyStart", NULL },
	{ 253, "ExceptionFinallyStop", NULL },
	{ 254, "ExceptionFilterStart", NULL },
	{ 255, "ExceptionFilterStop", NULL },
	{ 256, "ExceptionThrownStop", NULL },
	{ 260, "CodeSymbols", NULL },
	{ 270, "EventSource", NULL },
	{ 280, "TieredCompilationSettings", NULL },
	{ 281, "TieredCompilationPause", NULL },
	{ 282, "TieredCompilationResume", "hClrInstanceID iNewMethodCount" },
	{ 283, "TieredCompilationBackgroundJitStart",
	  "hClrInstanceID iPendingMethodCount" },
	{ 284, "TieredCompilationBackgroundJitStop",
	  "hClrInstanceID iPendingMethodCount iJittedMethodCount" },
	{ 290, "AssemblyLoadStart",
	  "hClrInstanceID sAssemblyName sAssemblyPath sRequestingAssembly "
	  "sAssemblyLoadContext sRequestingAssemblyLoadContext" },
	{ 291, "AssemblyLoadStop", NULL },
	{ 292, "ResolutionAttempted", NULL },
	{ 293, "AssemblyLoadContextResolvingHandlerInvoked", NULL },
	{ 294, "AppDomainAssemblyResolveHandlerInvoked", NULL },
	{ 295, "AssemblyLoadFromResolveHandlerInvoked", NULL },
	{ 296, "KnownPathProbed", NULL },
	{ 297, "JitInstrumentationData", NULL },
	{ 298, "JitInstrumentationDataVerbose", NULL },
	{ 299, "ProfilerMessage", NULL },
	{ 300, "ExecutionCheckpoint", NULL },
	{ 301, "WaitHandleWaitStart", "bWaitSource pAssociatedObjectID" },
	{ 302, "WaitHandleWaitStop", NULL },
	{ 303, "AllocationSampled",
	  "iAllocationKind hClrInstanceID pTypeID sTypeName pAddress qObjectSize "
	  "qSampledByteOffset" },
};

/*
 * Events of the rundown.  Each event has the id and payload of the runtime event that it repeats.
 */
static const struct netruntime_event rundown[] = {
	{ 10, "GCSettingsRundown", NULL },
	{ 141, "MethodDCStart", NULL },
	{ 142, "MethodDCEnd", NULL },
	{ 143, "MethodDCStartVerbose", NULL },
	{ 144, "MethodDCEndVerbose", NULL },
	{ 145, "DCStartComplete", NULL },
	{ 146, "DCEndComplete", NULL },
	{ 147, "DCStartInit", NULL },
	{ 148, "DCEndInit", NULL },
	{ 149, "MethodDCStartILToNativeMap", NULL },
	{ 150, "MethodDCEndILToNativeMap", NULL },
	{ 151, "DomainModuleDCStart", NULL },
	{ 152, "DomainModuleDCEnd", NULL },
	{ 153, "ModuleDCStart", NULL },
	{ 154, "ModuleDCEnd", NULL },
	{ 155, "AssemblyDCStart", NULL },
	{ 156, "AssemblyDCEnd", NULL },
	{ 157, "AppDomainDCStart", NULL },
	{ 158, "AppDomainDCEnd", NULL },
	{ 159, "ThreadDC", NULL },
	{ 160, "ModuleRangeDCStart", NULL },
	{ 161, "ModuleRangeDCEnd", NULL },
	{ 187, "RuntimeInformationDCStart", NULL },
	{ 188, "TieredCompilationSettingsDCStart", NULL },
};

/* Returns the events of a provider, and sets *n to their number. */
static const struct netruntime_event *events_of(struct str provider, size_t *n)
{
	*n = sizeof(runtime) / sizeof(*runtime);
	if (str_eq(provider, STR("Microsoft-Windows-DotNETRuntime")))
		return runtime;
	*n = sizeof(rundown) / sizeof(*rundown);
	if (str_eq(provider, STR("Microsoft-Windows-DotNETRuntimeRundown")))
		return rundown;
	*n = 0;
	return NULL;
}

const struct netruntime_event *netruntime_find(struct str provider, uint32_t id)
{
	size_t n;
	const struct netruntime_event *of = events_of(provider, &n);

	for (size_t i = 0; i < n; i++)
		if (of[i].id == id)
			return &of[i];
	return NULL;
}

const struct netruntime_event *netruntime_named(struct str provider, struct str name)
{
	size_t n;
	const struct netruntime_event *of = events_of(provider, &n);

	for (size_t i = 0; i < n; i++)
		if (str_eq(name, str_of(of[i].name)))
			return &of[i];
	return NULL;
}
